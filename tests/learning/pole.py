"""A pole on a cart in tensors: the task of Gymnasium's `InvertedPendulum-v5`."""

from sinew.gym import tensors


class Pole(tensors.Task):
    xml_file, frame_skip, max_episode_steps = "inverted_pendulum.xml", 2, 1000

    def start(self, uniform):
        u = 0.02 * uniform(4) - 0.01
        return self.init_qpos + u[:, :2], self.init_qvel + u[:, 2:]

    def outcome(self, action, before):
        fallen = self.qpos[:, 1].abs() > 0.2
        return 1.0 - fallen.to(self.dtype), fallen
