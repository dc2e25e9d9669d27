"""What pages are made of: the frame, the board, lists of moves, graphs, fields that they share."""
