//! The newest message of every kind, for all clients.
//!
//! The simulation posts messages without waiting for a client. A ready client takes the messages
//! that are new to it. A replaced message is never sent, so messages do not queue.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The kinds of messages, in the order in which a client needs them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Slot {
    /// Geometry and names, once per model.
    Model = 0,
    /// Diagnostics and messages.
    Notice = 1,
    /// Settings that all pages share.
    State = 2,
    /// Texts, figures and pictures laid over the view.
    Overlay = 3,
    /// Keyframes.
    Keys = 4,
    /// Sliders, buttons and texts of the program.
    Widgets = 5,
    /// Appearance of the geoms of a frame.
    Style = 6,
    /// Poses of the geoms.
    Frame = 7,
}

/// Number of slots.
const SLOTS: usize = 8;
/// Longest time that a client waits for news before it looks again.
const PATIENCE: Duration = Duration::from_secs(1);

/// A message, shared by all clients.
pub(crate) type Bytes = Arc<Vec<u8>>;

#[derive(Debug, Default)]
struct Posted {
    slots: [Option<Bytes>; SLOTS],
    versions: [u64; SLOTS],
    closed: bool,
    /// One condition variable per client, so that news for one client does not wake the others.
    signals: Vec<Arc<Condvar>>,
}

impl Posted {
    fn notify(&self) {
        for signal in &self.signals {
            signal.notify_all();
        }
    }
}

/// The newest message of every slot, shared by the simulation and all clients.
#[derive(Debug, Default)]
pub(crate) struct Board {
    posted: Mutex<Posted>,
}

/// The version of every slot that a client has received.
pub(crate) type Seen = [u64; SLOTS];

/// The next action of a client.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Next {
    Messages(Vec<Bytes>),
    /// Nothing is new.
    Nothing,
    Closed,
}

impl Board {
    fn lock(&self) -> MutexGuard<'_, Posted> {
        self.posted.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Replaces several slots at once; a new model removes the frame of the old model.
    pub(crate) fn post(&self, messages: Vec<(Slot, Vec<u8>)>) {
        let mut posted = self.lock();
        for (slot, bytes) in messages {
            if slot == Slot::Model {
                posted.slots[Slot::Style as usize] = None;
                posted.slots[Slot::Frame as usize] = None;
            }
            posted.slots[slot as usize] = Some(Arc::new(bytes));
            posted.versions[slot as usize] += 1;
        }
        posted.notify();
    }

    /// Registers a new client and returns its condition variable.
    pub(crate) fn enter(&self) -> Arc<Condvar> {
        let signal = Arc::new(Condvar::new());
        self.lock().signals.push(Arc::clone(&signal));
        signal
    }

    /// Unregisters a client.
    pub(crate) fn leave(&self, signal: &Arc<Condvar>) {
        self.lock().signals.retain(|other| !Arc::ptr_eq(other, signal));
    }

    /// Wakes one client, because something outside the board has changed for it. The lock closes
    /// the gap between the client's check and its wait.
    pub(crate) fn wake(&self, signal: &Condvar) {
        let _posted = self.lock();
        signal.notify_all();
    }

    /// Ends all connections.
    pub(crate) fn close(&self) {
        let mut posted = self.lock();
        posted.closed = true;
        posted.notify();
    }

    pub(crate) fn is_closed(&self) -> bool {
        self.lock().closed
    }

    /// Returns the news for a client, after waiting for its signal if there are none. A frame is
    /// returned only while `ready` reports that the client has drawn the earlier frames. The wait
    /// is skipped while `called` reports other work.
    pub(crate) fn next(
        &self,
        seen: &mut Seen,
        signal: &Condvar,
        ready: impl Fn() -> bool,
        called: impl Fn() -> bool,
    ) -> Next {
        let mut posted = self.lock();
        for waited in [false, true] {
            if posted.closed {
                return Next::Closed;
            }

            // messages that the client has not seen; frames only if it is ready
            let limit = if ready() { SLOTS } else { Slot::Style as usize };
            let mut messages = Vec::new();
            for (k, seen) in seen.iter_mut().enumerate().take(limit) {
                if posted.versions[k] > *seen {
                    *seen = posted.versions[k];
                    messages.extend(posted.slots[k].clone());
                }
            }
            if !messages.is_empty() {
                return Next::Messages(messages);
            }

            // no news: wait once
            if !waited && !called() {
                let result = signal.wait_timeout(posted, PATIENCE);
                posted = result.unwrap_or_else(PoisonError::into_inner).0;
            }
        }
        Next::Nothing
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(board: &Board, seen: &mut Seen, ready: bool) -> Vec<String> {
        let next = board.next(seen, &Condvar::new(), || ready, || false);
        let Next::Messages(messages) = next else { return Vec::new() };
        messages.iter().map(|m| String::from_utf8(m.to_vec()).unwrap()).collect()
    }

    #[test]
    fn superseded_frames_are_never_sent() {
        let (board, mut seen) = (Board::default(), Seen::default());
        for k in 0..5 {
            board.post(vec![(Slot::Frame, format!("frame {k}").into_bytes())]);
        }
        assert_eq!(texts(&board, &mut seen, true), ["frame 4"]);
        assert!(texts(&board, &mut seen, true).is_empty());
    }

    #[test]
    fn a_client_that_has_not_drawn_gets_settings_but_no_frames() {
        let (board, mut seen) = (Board::default(), Seen::default());
        board.post(vec![(Slot::State, b"state".to_vec()), (Slot::Frame, b"frame".to_vec())]);
        assert_eq!(texts(&board, &mut seen, false), ["state"]);
        assert!(texts(&board, &mut seen, false).is_empty());
        assert_eq!(texts(&board, &mut seen, true), ["frame"]);
    }

    #[test]
    fn a_new_model_removes_the_old_frame() {
        let (board, mut seen) = (Board::default(), Seen::default());
        board.post(vec![(Slot::Style, b"old".to_vec()), (Slot::Frame, b"old".to_vec())]);
        board.post(vec![(Slot::Model, b"new".to_vec())]);
        assert_eq!(texts(&board, &mut seen, true), ["new"]);
    }
}
