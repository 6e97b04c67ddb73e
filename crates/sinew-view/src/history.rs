//! The most recent states, in bounded memory.

use std::collections::VecDeque;

use sinew_model::Data;
use sinew_model::Model;
use sinew_model::enums::StateBit;
use sinew_model::state::{StateError, get_state, set_state, state_size};

/// Bounds of a history: bytes, and states (60 s at 60 states per second).
const MAX_BYTES: usize = 64 << 20;
const MAX_STATES: usize = 3600;

/// The saved part of a state: enough to continue with identical numbers.
const PARTS: i32 = StateBit::Integration.0;

/// States in the order of time.
#[derive(Debug)]
pub(crate) struct History {
    states: VecDeque<(f64, Vec<f64>)>,
    most: usize,
    size: usize,
    /// Index of the state shown, after going back.
    shown: Option<usize>,
}

impl History {
    pub(crate) fn new(m: &Model) -> History {
        let size = state_size(m, PARTS).unwrap_or(0);
        let most = (MAX_BYTES / (8 * size.max(1))).clamp(2, MAX_STATES);
        History { states: VecDeque::new(), most, size, shown: None }
    }

    /// Appends a state and drops all states after the one shown.
    pub(crate) fn push(&mut self, m: &Model, d: &Data) -> Result<(), StateError> {
        if let Some(shown) = self.shown.take() {
            self.states.truncate(shown + 1);
        }
        let full = self.states.len() >= self.most;
        let mut state = match full.then(|| self.states.pop_front()).flatten() {
            Some((_, state)) => state,
            None => vec![0.0; self.size],
        };
        get_state(m, d, &mut state, PARTS)?;
        self.states.push_back((d.time, state));
        Ok(())
    }

    /// Goes back to a state; returns `false` if the index is out of range.
    pub(crate) fn go(&mut self, m: &Model, d: &mut Data, index: usize) -> Result<bool, StateError> {
        let Some((_, state)) = self.states.get(index) else { return Ok(false) };
        set_state(m, d, state, PARTS)?;
        self.shown = Some(index);
        Ok(true)
    }

    pub(crate) fn clear(&mut self) {
        self.states.clear();
        self.shown = None;
    }

    pub(crate) fn len(&self) -> usize {
        self.states.len()
    }

    /// Index of the state shown, by default the last.
    pub(crate) fn shown(&self) -> usize {
        self.shown.unwrap_or(self.states.len().saturating_sub(1))
    }

    /// Times of the first and the last state.
    pub(crate) fn span(&self) -> [f64; 2] {
        [self.states.front(), self.states.back()].map(|s| s.map_or(0.0, |(time, _)| *time))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ball() -> Model {
        let xml =
            "<mujoco><worldbody><body><freejoint/><geom size='.1'/></body></worldbody></mujoco>";
        sinew_mjcf::load_str(xml, &Default::default(), &Default::default()).unwrap().model
    }

    #[test]
    fn going_back_and_on_repeats_the_numbers() {
        let m = ball();
        let (mut d, mut history) = (Data::new(&m), History::new(&m));
        let mut end = 0.0;
        for _ in 0..10 {
            history.push(&m, &d).unwrap();
            sinew_engine::step(&m, &mut d);
            end = d.qpos[2];
        }
        assert!(history.go(&m, &mut d, 4).unwrap());
        assert!((d.time - 4.0 * m.opt.timestep).abs() < 1e-12);
        for _ in 4..10 {
            sinew_engine::step(&m, &mut d);
        }
        assert_eq!(d.qpos[2], end);

        // going back and pushing drops the later states
        history.push(&m, &d).unwrap();
        assert_eq!((history.len(), history.shown()), (6, 5));
        assert!(!history.go(&m, &mut d, 100).unwrap());
    }

    #[test]
    fn memory_is_bounded() {
        let m = ball();
        let (d, mut history) = (Data::new(&m), History::new(&m));
        for _ in 0..MAX_STATES + 100 {
            history.push(&m, &d).unwrap();
        }
        assert_eq!(history.len(), MAX_STATES);
    }
}
