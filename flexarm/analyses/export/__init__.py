"""Arms written for other simulators: URDF and MJCF, rigid or as chains of rigid pieces with springs."""
