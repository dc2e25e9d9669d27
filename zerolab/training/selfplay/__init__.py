"""Games of a network against itself, in this process or in others."""
