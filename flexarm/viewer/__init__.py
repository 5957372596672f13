"""The live view: arms to be posed and runs to be played, in a browser on this machine."""
