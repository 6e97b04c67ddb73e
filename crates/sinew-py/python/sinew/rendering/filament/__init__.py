"""MuJoCo's renderer on Filament, which Sinew does not have: `sinew.mjrf` has its names."""
