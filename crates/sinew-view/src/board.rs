//! What all clients should see, newest version only.
//!
//! The simulation posts; it never waits for a client. A client takes what is new to it whenever it
//! is ready: what was replaced in the meantime is never sent, so nothing queues.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The kinds of things posted, in the order in which a client needs them.
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
    /// What the geoms of a frame look like.
    Style = 4,
    /// Where they are.
    Frame = 5,
}

/// Number of slots.
const SLOTS: usize = 6;
/// How long a client that has nothing to be told sleeps.
const PATIENCE: Duration = Duration::from_secs(1);

/// A message, shared by all clients.
pub(crate) type Bytes = Arc<Vec<u8>>;

#[derive(Debug, Default)]
struct Posted {
    slots: [Option<Bytes>; SLOTS],
    versions: [u64; SLOTS],
    closed: bool,
    /// One for every client, so that news of one does not wake all.
    bells: Vec<Arc<Condvar>>,
}

impl Posted {
    fn ring(&self) {
        for bell in &self.bells {
            bell.notify_all();
        }
    }
}

/// The board.
#[derive(Debug, Default)]
pub(crate) struct Board {
    posted: Mutex<Posted>,
}

/// Which version of every slot a client has.
pub(crate) type Seen = [u64; SLOTS];

/// What a client should be sent next.
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

    /// Replaces several slots at once; a new model takes the frame of the old one away.
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
        posted.ring();
    }

    /// A bell for a new client.
    pub(crate) fn enter(&self) -> Arc<Condvar> {
        let bell = Arc::new(Condvar::new());
        self.lock().bells.push(Arc::clone(&bell));
        bell
    }

    /// Takes the bell of a client away.
    pub(crate) fn leave(&self, bell: &Arc<Condvar>) {
        self.lock().bells.retain(|other| !Arc::ptr_eq(other, bell));
    }

    /// Wakes one client, because something other than the board has changed for it. The lock is
    /// taken so that a client between looking and waiting does not miss it.
    pub(crate) fn wake(&self, bell: &Condvar) {
        let _posted = self.lock();
        bell.notify_all();
    }

    /// Ends all conversations.
    pub(crate) fn close(&self) {
        let mut posted = self.lock();
        posted.closed = true;
        posted.ring();
    }

    pub(crate) fn is_closed(&self) -> bool {
        self.lock().closed
    }

    /// What is new, after waiting for the bell if nothing is. A frame counts only while `ready`
    /// says that the client has drawn the ones before; nobody waits while `called` says that there
    /// is something else to do.
    pub(crate) fn next(
        &self,
        seen: &mut Seen,
        bell: &Condvar,
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

            // nothing: wait once
            if !waited && !called() {
                let result = bell.wait_timeout(posted, PATIENCE);
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
    fn a_new_model_takes_the_old_frame_away() {
        let (board, mut seen) = (Board::default(), Seen::default());
        board.post(vec![(Slot::Style, b"old".to_vec()), (Slot::Frame, b"old".to_vec())]);
        board.post(vec![(Slot::Model, b"new".to_vec())]);
        assert_eq!(texts(&board, &mut seen, true), ["new"]);
    }
}
