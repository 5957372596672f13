"""What the build of the guide computes: outputs of commands, tables, figures. Nothing of it is stored."""
