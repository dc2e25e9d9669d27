"""Training: self-play, targets, replay, learner. Prints nothing."""
