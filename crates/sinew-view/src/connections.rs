//! The open connections of a server, with bounds on their number.

use std::io::{self, Read};
use std::net::{IpAddr, Shutdown, TcpStream};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// Maximum number of connections.
pub(crate) const MAX_CONNECTIONS: usize = 256;
/// Maximum number of connections from one address.
pub(crate) const MAX_PER_ADDRESS: usize = 128;

/// The open connections, the oldest first.
#[derive(Debug, Default)]
pub(crate) struct Connections {
    list: Mutex<(u64, Vec<Connection>)>,
}

#[derive(Debug)]
struct Connection {
    id: u64,
    address: IpAddr,
    /// The socket, until the head of a request has arrived.
    idle: Option<TcpStream>,
}

impl Connections {
    fn list(&self) -> MutexGuard<'_, (u64, Vec<Connection>)> {
        self.list.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a connection that has not sent a request yet, and returns its number. Beyond a bound
    /// the oldest connection without a request is closed. Without such a connection, the result is
    /// `None`.
    pub(crate) fn add(&self, address: IpAddr, stream: &TcpStream) -> Option<u64> {
        let (next, list) = &mut *self.list();
        let own = list.iter().filter(|c| c.address == address).count();
        if own >= MAX_PER_ADDRESS {
            close_oldest(list, |c| c.address == address)?;
        } else if list.len() >= MAX_CONNECTIONS {
            close_oldest(list, |_| true)?;
        }
        *next += 1;
        list.push(Connection { id: *next, address, idle: stream.try_clone().ok() });
        Some(*next)
    }

    /// Notes that the head of a request has arrived.
    pub(crate) fn has_request(&self, id: u64) {
        if let Some(found) = self.list().1.iter_mut().find(|c| c.id == id) {
            found.idle = None;
        }
    }

    /// Removes a connection that has ended.
    pub(crate) fn remove(&self, id: u64) {
        self.list().1.retain(|c| c.id != id);
    }
}

/// Closes the oldest connection without a request; its thread then ends.
fn close_oldest(list: &mut Vec<Connection>, among: impl Fn(&Connection) -> bool) -> Option<()> {
    let oldest = list.iter().position(|c| c.idle.is_some() && among(c))?;
    if let Some(stream) = list.remove(oldest).idle {
        let _ = stream.shutdown(Shutdown::Both);
    }
    Some(())
}

/// Reads from a socket until a deadline, however slowly bytes arrive.
pub(crate) struct Until<'a> {
    pub(crate) stream: &'a TcpStream,
    pub(crate) deadline: Instant,
}

impl Read for Until<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let left = self.deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(io::ErrorKind::TimedOut.into());
        }
        self.stream.set_read_timeout(Some(left))?;
        self.stream.read(out)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::net::{Ipv4Addr, TcpListener};
    use std::time::Duration;

    use super::*;

    /// Two ends of a connection.
    fn pair() -> (TcpStream, TcpStream) {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let there = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        (listener.accept().unwrap().0, there)
    }

    #[test]
    fn slow_bytes_do_not_extend_a_deadline() {
        let (here, mut there) = pair();
        let slow = std::thread::spawn(move || {
            while there.write_all(b"x").is_ok() {
                std::thread::sleep(Duration::from_millis(20));
            }
        });
        let deadline = Instant::now() + Duration::from_millis(300);
        let mut bytes = [0; 10_000];
        let error = Until { stream: &here, deadline }.read_exact(&mut bytes).unwrap_err();
        assert!(matches!(error.kind(), io::ErrorKind::TimedOut | io::ErrorKind::WouldBlock));
        assert!(deadline.elapsed() < Duration::from_secs(10));
        drop(here);
        slow.join().unwrap();
    }

    #[test]
    fn an_address_has_a_bound_and_its_oldest_idle_connection_leaves() {
        let connections = Connections::default();
        let (here, mut there) = pair();
        let [one, two]: [IpAddr; 2] = [[10, 0, 0, 1].into(), [10, 0, 0, 2].into()];
        let first = connections.add(one, &here).unwrap();
        let (other, _far) = pair();
        let rest: Vec<u64> =
            (1..MAX_PER_ADDRESS).map(|_| connections.add(one, &other).unwrap()).collect();
        rest.iter().for_each(|&id| connections.has_request(id));

        // the first is idle and leaves; then all have requests
        let next = connections.add(one, &other).unwrap();
        assert_eq!(there.read(&mut [0]).unwrap(), 0);
        connections.has_request(next);
        assert_eq!(connections.add(one, &other), None);
        assert!(connections.add(two, &other).is_some());
        connections.remove(next);
        assert!(connections.add(one, &other).is_some());
        assert_ne!(first, next);
    }
}
