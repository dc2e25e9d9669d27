"""python -m zerolab."""

from zerolab.interfaces.cli import main

if __name__ == "__main__":
    main()
