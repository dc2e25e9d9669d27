"""damhuis: simple players and small networks that learn online, on Clobber."""
