"""`python -m flexarm.cli` is the command `flexarm`."""

from flexarm.cli import main

if __name__ == "__main__":
    main()
