"""wang: twelve hyper-parameters and four losses of AlphaZero-like self-play."""
