"""The command line and what people look at. The only layer that prints or serves."""
