"""The v5 environments of Gymnasium as tasks, in all worlds at once.

Models, observations, rewards and their weights are Gymnasium's. Sums are made in the kind of number
that it makes them in: those over actions in that of the actions.
"""

import numpy as np

from sinew.gym._task import Task


def _squares(x):
    """Sum of squares in every world."""
    return np.square(x).reshape(len(x), -1).sum(axis=1)


def _beside(*parts):
    """Arrays with a row for each world, side by side."""
    return np.concatenate(parts, axis=1)


def _within(x, limits):
    """Whether a number lies between two others."""
    return (limits[0] < x) & (x < limits[1])


class _Noisy(Task):
    """Starts near the initial state."""

    # whether velocities are normally distributed, rather than evenly
    normal_velocity = False

    def __init__(self, n, *, reset_noise_scale, **options):
        self.noise = reset_noise_scale
        super().__init__(n, **options)

    def start(self, rng):
        m, noise = self.model, self.noise
        qpos = self.init_qpos + rng.uniform(low=-noise, high=noise, size=m.nq)
        if self.normal_velocity:
            return qpos, self.init_qvel + noise * rng.standard_normal(m.nv)
        return qpos, self.init_qvel + rng.uniform(low=-noise, high=noise, size=m.nv)


class _Mover(_Noisy):
    """Base class of tasks that reward motion along x."""

    # number of position coordinates that are not observed
    skipped = 1

    def __init__(
        self,
        n,
        *,
        forward_reward_weight,
        ctrl_cost_weight,
        exclude_current_positions_from_observation=True,
        **options,
    ):
        self.forward_weight, self.ctrl_weight = forward_reward_weight, ctrl_cost_weight
        self.hidden = self.skipped if exclude_current_positions_from_observation else 0
        super().__init__(n, **options)

    def before(self):
        return self.place().copy()

    def place(self):
        """Positions: a row for each coordinate, because numpy is faster over rows than over
        columns."""
        return self.batch.qpos[:, : self.skipped].T

    def velocity(self, before):
        """Speed along each coordinate of `place`."""
        return (self.place() - before) / self.dt

    def observation(self):
        return _beside(self.batch.qpos[:, self.hidden :], self.batch.qvel)

    def drive(self, state, policy):
        if type(self).observation not in (_Mover.observation, _Upright.observation):
            return None
        limit = getattr(self, "speed_limit", np.inf)
        return policy(state.cat(state.qpos[:, self.hidden :], state.qvel.clamp(-limit, limit)))


def _place(batch):
    """Infos about the place in the plane."""
    x, y = batch.qpos[:, 0].copy(), batch.qpos[:, 1].copy()
    return {"x_position": x, "y_position": y, "distance_from_origin": np.sqrt(x * x + y * y)}


class HalfCheetah(_Mover):
    """Runs forward."""

    xml_file = "half_cheetah.xml"
    frame_skip = 5
    camera = {"distance": 4.0}
    normal_velocity = True
    max_episode_steps, reward_threshold = 1000, 4800.0

    def __init__(
        self,
        n,
        *,
        forward_reward_weight=1.0,
        ctrl_cost_weight=0.1,
        reset_noise_scale=0.1,
        **options,
    ):
        super().__init__(
            n,
            forward_reward_weight=forward_reward_weight,
            ctrl_cost_weight=ctrl_cost_weight,
            reset_noise_scale=reset_noise_scale,
            **options,
        )

    def outcome(self, action, before):
        (speed,) = self.velocity(before)
        forward, cost = self.forward_weight * speed, self.ctrl_weight * _squares(action)
        info = self.start_info()
        info |= {"x_velocity": speed, "reward_forward": forward, "reward_ctrl": -cost}
        return forward - cost, np.zeros(self.n, bool), info

    def start_info(self):
        return {"x_position": self.batch.qpos[:, 0].copy()}


class Swimmer(_Mover):
    """Swims forward."""

    xml_file = "swimmer.xml"
    frame_skip = 4
    skipped = 2
    max_episode_steps, reward_threshold = 1000, 360.0

    def __init__(
        self,
        n,
        *,
        forward_reward_weight=1.0,
        ctrl_cost_weight=1e-4,
        reset_noise_scale=0.1,
        **options,
    ):
        super().__init__(
            n,
            forward_reward_weight=forward_reward_weight,
            ctrl_cost_weight=ctrl_cost_weight,
            reset_noise_scale=reset_noise_scale,
            **options,
        )

    def outcome(self, action, before):
        x, y = self.velocity(before)
        forward, cost = self.forward_weight * x, self.ctrl_weight * _squares(action)
        info = self.start_info() | {"x_velocity": x, "y_velocity": y}
        info |= {"reward_forward": forward, "reward_ctrl": -cost}
        return forward - cost, np.zeros(self.n, bool), info

    def start_info(self):
        return _place(self.batch)


class _Upright(_Mover):
    """Moves in a plane, and is to stay upright."""

    frame_skip = 4
    speed_limit = 10.0

    def __init__(
        self,
        n,
        *,
        forward_reward_weight=1.0,
        ctrl_cost_weight=1e-3,
        healthy_reward=1.0,
        terminate_when_unhealthy=True,
        healthy_z_range,
        healthy_angle_range,
        reset_noise_scale=5e-3,
        **options,
    ):
        self.healthy_reward, self.terminates = healthy_reward, terminate_when_unhealthy
        self.z_range, self.angle_range = healthy_z_range, healthy_angle_range
        super().__init__(
            n,
            forward_reward_weight=forward_reward_weight,
            ctrl_cost_weight=ctrl_cost_weight,
            reset_noise_scale=reset_noise_scale,
            **options,
        )

    def healthy(self):
        """Whether it stands, in every world."""
        qpos = self.batch.qpos
        return _within(qpos[:, 1], self.z_range) & _within(qpos[:, 2], self.angle_range)

    def observation(self):
        velocity = np.clip(self.batch.qvel, -self.speed_limit, self.speed_limit)
        return _beside(self.batch.qpos[:, self.hidden :], velocity)

    def outcome(self, action, before):
        (speed,), healthy = self.velocity(before), self.healthy()
        forward, cost = self.forward_weight * speed, self.ctrl_weight * _squares(action)
        alive = healthy * self.healthy_reward
        info = self.start_info() | {"x_velocity": speed}
        info |= {"reward_forward": forward, "reward_ctrl": -cost, "reward_survive": alive}
        return forward + alive - cost, ~healthy & self.terminates, info

    def start_info(self):
        qpos = self.batch.qpos
        height = qpos[:, 1] - self.init_qpos[1]
        return {"x_position": qpos[:, 0].copy(), "z_distance_from_origin": height}


class Hopper(_Upright):
    """Hops forward on one leg."""

    xml_file = "hopper.xml"
    camera = {"trackbodyid": 2, "distance": 3.0, "lookat": (0.0, 0.0, 1.15), "elevation": -20.0}
    max_episode_steps, reward_threshold = 1000, 3800.0

    def __init__(
        self,
        n,
        *,
        healthy_state_range=(-100.0, 100.0),
        healthy_z_range=(0.7, float("inf")),
        healthy_angle_range=(-0.2, 0.2),
        **options,
    ):
        self.state_range = healthy_state_range
        super().__init__(
            n, healthy_z_range=healthy_z_range, healthy_angle_range=healthy_angle_range, **options
        )

    def healthy(self):
        state = _beside(self.batch.qpos[:, 2:], self.batch.qvel)
        return super().healthy() & _within(state, self.state_range).all(axis=1)


class Walker2d(_Upright):
    """Walks forward on two legs."""

    xml_file = "walker2d_v5.xml"
    camera = {"trackbodyid": 2, "distance": 4.0, "lookat": (0.0, 0.0, 1.15), "elevation": -20.0}
    max_episode_steps = 1000

    def __init__(
        self, n, *, healthy_z_range=(0.8, 2.0), healthy_angle_range=(-1.0, 1.0), **options
    ):
        super().__init__(
            n, healthy_z_range=healthy_z_range, healthy_angle_range=healthy_angle_range, **options
        )


class Ant(_Mover):
    """Walks forward on four legs."""

    xml_file = "ant.xml"
    frame_skip = 5
    camera = {"distance": 4.0}
    skipped = 2
    normal_velocity = True
    forces, fields = True, ("xpos", "cfrc_ext")
    max_episode_steps, reward_threshold = 1000, 6000.0

    def __init__(
        self,
        n,
        *,
        forward_reward_weight=1,
        ctrl_cost_weight=0.5,
        contact_cost_weight=5e-4,
        healthy_reward=1.0,
        main_body=1,
        terminate_when_unhealthy=True,
        healthy_z_range=(0.2, 1.0),
        contact_force_range=(-1.0, 1.0),
        reset_noise_scale=0.1,
        include_cfrc_ext_in_observation=True,
        **options,
    ):
        self.contact_weight, self.force_range = contact_cost_weight, contact_force_range
        self.healthy_reward, self.terminates = healthy_reward, terminate_when_unhealthy
        self.z_range, self.shows_forces = healthy_z_range, include_cfrc_ext_in_observation
        super().__init__(
            n,
            forward_reward_weight=forward_reward_weight,
            ctrl_cost_weight=ctrl_cost_weight,
            reset_noise_scale=reset_noise_scale,
            **options,
        )
        self.body = self.model.body(main_body).id

    def place(self):
        return self.batch.xpos[:, self.body, :2].T

    def contact_forces(self):
        """Forces on the bodies, within limits."""
        return np.clip(self.batch.cfrc_ext, *self.force_range)

    def observation(self):
        parts = [self.batch.qpos[:, self.hidden :], self.batch.qvel]
        if self.shows_forces:
            parts.append(self.contact_forces()[:, 1:].reshape(self.n, -1))
        return _beside(*parts)

    def outcome(self, action, before):
        x, y = self.velocity(before)
        qpos = self.batch.qpos
        finite = np.isfinite(_beside(qpos, self.batch.qvel)).all(axis=1)
        healthy = finite & (self.z_range[0] <= qpos[:, 2]) & (qpos[:, 2] <= self.z_range[1])
        forward, alive = x * self.forward_weight, healthy * self.healthy_reward
        ctrl = self.ctrl_weight * _squares(action)
        contact = self.contact_weight * _squares(self.contact_forces())
        info = self.start_info() | {"x_velocity": x, "y_velocity": y}
        info |= {"reward_forward": forward, "reward_ctrl": -ctrl}
        info |= {"reward_contact": -contact, "reward_survive": alive}
        return forward + alive - (ctrl + contact), ~healthy & self.terminates, info

    def start_info(self):
        return _place(self.batch)


class _Humanoid(_Noisy):
    """A humanoid, much of which is observed."""

    frame_skip = 5
    forces, fields = True, ("cinert", "cvel", "cfrc_ext", "qfrc_actuator", "xipos")

    def __init__(
        self,
        n,
        *,
        ctrl_cost_weight=0.1,
        reset_noise_scale=1e-2,
        exclude_current_positions_from_observation=True,
        include_cinert_in_observation=True,
        include_cvel_in_observation=True,
        include_qfrc_actuator_in_observation=True,
        include_cfrc_ext_in_observation=True,
        **options,
    ):
        self.ctrl_weight = ctrl_cost_weight
        self.hidden = 2 if exclude_current_positions_from_observation else 0
        parts = {
            "cinert": include_cinert_in_observation,
            "cvel": include_cvel_in_observation,
            "qfrc_actuator": include_qfrc_actuator_in_observation,
            "cfrc_ext": include_cfrc_ext_in_observation,
        }
        self.parts = [name for name, shown in parts.items() if shown]
        super().__init__(n, reset_noise_scale=reset_noise_scale, **options)
        self.batch.bind("ten_length")
        self.batch.bind("ten_velocity")

    def observation(self):
        parts = [self.batch.qpos[:, self.hidden :], self.batch.qvel]
        for name in self.parts:
            # skip the world's values, and the floating base's, which has no actuator
            first = 6 if name == "qfrc_actuator" else 1
            parts.append(self.batch.bind(name)[:, first:].reshape(self.n, -1))
        return _beside(*parts)

    def contact_cost(self, weight, limits):
        """Cost of the forces on the bodies."""
        return np.clip(weight * _squares(self.batch.cfrc_ext), *limits)

    def tendons(self):
        """Infos about the tendons."""
        length, velocity = self.batch.ten_length, self.batch.ten_velocity
        return {"tendon_length": length.copy(), "tendon_velocity": velocity.copy()}


class Humanoid(_Humanoid):
    """Walks forward on two legs, in space."""

    xml_file = "humanoid.xml"
    camera = {"trackbodyid": 1, "distance": 4.0, "lookat": (0.0, 0.0, 2.0), "elevation": -20.0}
    max_episode_steps = 1000

    def __init__(
        self,
        n,
        *,
        forward_reward_weight=1.25,
        contact_cost_weight=5e-7,
        contact_cost_range=(-np.inf, 10.0),
        healthy_reward=5.0,
        terminate_when_unhealthy=True,
        healthy_z_range=(1.0, 2.0),
        **options,
    ):
        self.forward_weight = forward_reward_weight
        self.contact_weight, self.contact_range = contact_cost_weight, contact_cost_range
        self.healthy_reward, self.terminates = healthy_reward, terminate_when_unhealthy
        self.z_range = healthy_z_range
        super().__init__(n, **options)

    def before(self):
        mass = self.model.body_mass
        return (np.einsum("b,nbj->nj", mass, self.batch.xipos) / mass.sum())[:, :2]

    def outcome(self, action, before):
        x, y = ((self.before() - before) / self.dt).T.copy()
        healthy = _within(self.batch.qpos[:, 2], self.z_range)
        forward, alive = self.forward_weight * x, healthy * self.healthy_reward
        ctrl = self.ctrl_weight * _squares(self.batch.ctrl)
        contact = self.contact_cost(self.contact_weight, self.contact_range)
        info = self.start_info() | {"x_velocity": x, "y_velocity": y}
        info |= {"reward_survive": alive, "reward_forward": forward}
        info |= {"reward_ctrl": -ctrl, "reward_contact": -contact}
        return forward + alive - (ctrl + contact), ~healthy & self.terminates, info

    def start_info(self):
        return _place(self.batch) | self.tendons()


class HumanoidStandup(_Humanoid):
    """Stands up."""

    xml_file = "humanoidstandup.xml"
    camera = {"trackbodyid": 1, "distance": 4.0, "lookat": (0.0, 0.0, 0.8925), "elevation": -20.0}
    max_episode_steps = 1000

    def __init__(
        self,
        n,
        *,
        uph_cost_weight=1,
        impact_cost_weight=0.5e-6,
        impact_cost_range=(-np.inf, 10.0),
        **options,
    ):
        # Gymnasium takes the first of these and does not use it
        self.up_weight = uph_cost_weight
        self.impact_weight, self.impact_range = impact_cost_weight, impact_cost_range
        super().__init__(n, **options)

    def outcome(self, action, before):
        up = self.batch.qpos[:, 2] / self.model.opt.timestep
        ctrl = self.ctrl_weight * _squares(self.batch.ctrl)
        impact = self.contact_cost(self.impact_weight, self.impact_range)
        info = self.start_info() | {"reward_linup": up, "reward_quadctrl": -ctrl}
        info["reward_impact"] = -impact
        return up - ctrl - impact + 1, np.zeros(self.n, bool), info

    def start_info(self):
        place = _place(self.batch)
        del place["distance_from_origin"]
        height = self.batch.qpos[:, 2] - self.init_qpos[2]
        return place | {"z_distance_from_origin": height} | self.tendons()


class InvertedPendulum(_Noisy):
    """Balances a pole on a cart."""

    xml_file = "inverted_pendulum.xml"
    frame_skip = 2
    camera = {"trackbodyid": 0, "distance": 2.04}
    max_episode_steps, reward_threshold = 1000, 950.0

    def __init__(self, n, *, reset_noise_scale=0.01, **options):
        super().__init__(n, reset_noise_scale=reset_noise_scale, **options)

    def outcome(self, action, before):
        state = self.observation()
        fallen = ~np.isfinite(state).all(axis=1) | (np.abs(state[:, 1]) > 0.2)
        reward = (~fallen).astype(np.int64)
        return reward, fallen, {"reward_survive": reward}


class InvertedDoublePendulum(_Noisy):
    """Balances two poles on a cart."""

    xml_file = "inverted_double_pendulum.xml"
    frame_skip = 5
    fields = ("site_xpos", "qfrc_constraint")
    normal_velocity = True
    max_episode_steps, reward_threshold = 1000, 9100.0

    def __init__(self, n, *, healthy_reward=10.0, reset_noise_scale=0.1, **options):
        self.healthy_reward = healthy_reward
        super().__init__(n, reset_noise_scale=reset_noise_scale, **options)

    def observation(self):
        b = self.batch
        angles = b.qpos[:, 1:]
        force = np.clip(b.qfrc_constraint[:, :1], -10, 10)
        velocity = np.clip(b.qvel, -10, 10)
        return _beside(b.qpos[:, :1], np.sin(angles), np.cos(angles), velocity, force)

    def outcome(self, action, before):
        x, y = self.batch.site_xpos[:, 0, 0], self.batch.site_xpos[:, 0, 2]
        v1, v2 = self.batch.qvel[:, 1], self.batch.qvel[:, 2]
        fallen = y <= 1
        distance = 0.01 * x**2 + (y - 2) ** 2
        velocity = 1e-3 * v1**2 + 5e-3 * v2**2
        alive = self.healthy_reward * ~fallen
        info = {"reward_survive": alive}
        info |= {"distance_penalty": -distance, "velocity_penalty": -velocity}
        return alive - distance - velocity, fallen, info


class Reacher(Task):
    """Reaches for a target with two links."""

    xml_file = "reacher.xml"
    frame_skip = 2
    camera = {"trackbodyid": 0}
    fields = ("xpos",)
    max_episode_steps, reward_threshold = 50, -3.75

    def __init__(self, n, *, reward_dist_weight=1, reward_control_weight=1, **options):
        self.dist_weight, self.ctrl_weight = reward_dist_weight, reward_control_weight
        super().__init__(n, **options)
        self.tip, self.target = self.model.body("fingertip").id, self.model.body("target").id

    def start(self, rng):
        qpos = rng.uniform(low=-0.1, high=0.1, size=self.model.nq) + self.init_qpos
        goal = rng.uniform(low=-0.2, high=0.2, size=2)
        while np.linalg.norm(goal) >= 0.2:
            goal = rng.uniform(low=-0.2, high=0.2, size=2)
        qpos[-2:] = goal
        qvel = self.init_qvel + rng.uniform(low=-0.005, high=0.005, size=self.model.nv)
        qvel[-2:] = 0
        return qpos, qvel

    def gap(self):
        """From the target to the fingertip."""
        return self.batch.xpos[:, self.tip] - self.batch.xpos[:, self.target]

    def observation(self):
        qpos, qvel = self.batch.qpos, self.batch.qvel
        angles = qpos[:, :2]
        return _beside(np.cos(angles), np.sin(angles), qpos[:, 2:], qvel[:, :2], self.gap()[:, :2])

    def outcome(self, action, before):
        distance = -np.sqrt(_squares(self.gap())) * self.dist_weight
        ctrl = -_squares(action) * self.ctrl_weight
        info = {"reward_dist": distance, "reward_ctrl": ctrl}
        return distance + ctrl, np.zeros(self.n, bool), info


class Pusher(Task):
    """Pushes a cylinder to a goal with an arm."""

    xml_file = "pusher_v5.xml"
    frame_skip = 5
    camera = {"trackbodyid": -1, "distance": 4.0}
    fields = ("xpos",)
    max_episode_steps, reward_threshold = 100, 0.0

    def __init__(
        self,
        n,
        *,
        reward_near_weight=0.5,
        reward_dist_weight=1,
        reward_control_weight=0.1,
        **options,
    ):
        self.near_weight, self.dist_weight = reward_near_weight, reward_dist_weight
        self.ctrl_weight = reward_control_weight
        super().__init__(n, **options)
        names = ("tips_arm", "object", "goal")
        self.tip, self.object, self.goal = (self.model.body(name).id for name in names)

    def start(self, rng):
        place = np.zeros(2)
        while np.linalg.norm(place) <= 0.17:
            place = np.concatenate([rng.uniform(-0.3, 0, size=1), rng.uniform(-0.2, 0.2, size=1)])
        qpos = self.init_qpos.copy()
        qpos[-4:-2], qpos[-2:] = place, 0
        qvel = self.init_qvel + rng.uniform(low=-0.005, high=0.005, size=self.model.nv)
        qvel[-4:] = 0
        return qpos, qvel

    def observation(self):
        b = self.batch
        bodies = [b.xpos[:, i] for i in (self.tip, self.object, self.goal)]
        return _beside(b.qpos[:, :7], b.qvel[:, :7], *bodies)

    def outcome(self, action, before):
        tip, thing, goal = (self.batch.xpos[:, i] for i in (self.tip, self.object, self.goal))
        near = -np.sqrt(_squares(thing - tip)) * self.near_weight
        distance = -np.sqrt(_squares(thing - goal)) * self.dist_weight
        ctrl = -_squares(action) * self.ctrl_weight
        info = {"reward_dist": distance, "reward_ctrl": ctrl, "reward_near": near}
        return distance + ctrl + near, np.zeros(self.n, bool), info


# by the names that Gymnasium has for them
TASKS = {
    f"{task.__name__}-v5": task
    for task in (
        Ant,
        HalfCheetah,
        Hopper,
        Humanoid,
        HumanoidStandup,
        InvertedDoublePendulum,
        InvertedPendulum,
        Pusher,
        Reacher,
        Swimmer,
        Walker2d,
    )
}
