"""cazenave's question asked of self-play on Clobber: do mobile networks beat residual ones?"""
