"""Replaces MuJoCo's package in processes started by `sinew.as_mujoco`."""

import sinew.as_mujoco

sinew.as_mujoco.install()
