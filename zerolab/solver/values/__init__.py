"""Values of combinatorial games in compiled code, each kept once under a number."""
