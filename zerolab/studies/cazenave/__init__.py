"""cazenave: residual and mobile networks for Go, learnt from records and set against each other."""
