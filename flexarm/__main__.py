"""`python -m flexarm`: the command line."""

from flexarm.cli import main

if __name__ == "__main__":
    main()
