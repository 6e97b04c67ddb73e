"""Replaces MuJoCo's package in processes started by `sinew.as_mujoco`."""

import sinew

sinew.install_as_mujoco()
