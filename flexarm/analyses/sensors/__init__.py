"""What sensors make of the motion of an arm."""
