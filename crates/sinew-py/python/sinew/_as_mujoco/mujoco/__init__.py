"""Stands in for MuJoCo's package in processes that `sinew.as_mujoco` starts."""

import sinew.as_mujoco

sinew.as_mujoco.install()
