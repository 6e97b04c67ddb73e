//! Access control: a client must know the secret address to see or steer a simulation.
//!
//! The address has a random token in its path. A page of another site cannot know the token. The
//! server also refuses requests whose `Origin` is another site or whose `Host` is a name that it
//! does not go by. A foreign name that resolves to this machine (DNS rebinding) is therefore
//! refused.

use std::net::{IpAddr, SocketAddr};

use crate::http::Request;

/// Random bytes in a token.
const TOKEN_BYTES: usize = 16;

/// The credentials that a request must present.
#[derive(Clone, Debug)]
pub(crate) struct Access {
    token: String,
    /// Names and addresses this server is called by, without ports.
    hosts: Vec<String>,
    /// Whether any address is accepted as host, because the server listens on all interfaces.
    any_address: bool,
}

/// Reason for refusing a request: an HTTP status and a message.
pub(crate) type Refusal = (&'static str, &'static str);

impl Access {
    /// Creates a token for a server that listens at `address`.
    pub(crate) fn new(address: SocketAddr) -> Result<Access, String> {
        let mut bytes = [0; TOKEN_BYTES];
        getrandom::fill(&mut bytes).map_err(|e| format!("no random numbers for a token: {e}"))?;
        let token = bytes.iter().map(|b| format!("{b:02x}")).collect();
        let hosts = ["localhost", "127.0.0.1", "::1"].map(str::to_owned);
        let mut hosts = hosts.to_vec();
        hosts.push(address.ip().to_string());
        Ok(Access { token, hosts, any_address: address.ip().is_unspecified() })
    }

    pub(crate) fn token(&self) -> &str {
        &self.token
    }

    /// Returns the part of the path after the token, or the reason for refusing the request.
    pub(crate) fn check<'a>(&self, request: &'a Request) -> Result<&'a str, Refusal> {
        // the host; its port may differ, as with port forwarding
        let host = request.header("host").ok_or(("400 Bad Request", "one Host is needed"))?;
        if !self.knows(host) {
            return Err(("403 Forbidden", "this server does not go by that name"));
        }

        // the origin, where the browser gives one
        if request.count("origin") > 0 {
            let origin = request.header("origin").unwrap_or("");
            let own = origin.strip_prefix("http://").or(origin.strip_prefix("https://"));
            if own != Some(host) {
                return Err(("403 Forbidden", "requests from other sites are refused"));
            }
        }

        // the token
        let path = request.path.strip_prefix('/').unwrap_or("");
        let (token, rest) = path.split_once('/').unwrap_or((path, ""));
        if !same(token, &self.token) {
            return Err(("403 Forbidden", "the address lacks the token that the viewer printed"));
        }
        Ok(rest)
    }

    fn knows(&self, host: &str) -> bool {
        let name = without_port(host);
        self.hosts.iter().any(|h| h.eq_ignore_ascii_case(name))
            || self.any_address && name.parse::<IpAddr>().is_ok()
    }
}

/// The host name without its port; IPv6 addresses also lose their brackets.
fn without_port(host: &str) -> &str {
    if let Some(rest) = host.strip_prefix('[') {
        return rest.split(']').next().unwrap_or("");
    }
    host.rsplit_once(':').map_or(host, |(name, _)| name)
}

/// Compares two texts in constant time, so that timing does not reveal where they differ.
fn same(a: &str, b: &str) -> bool {
    let differ = a.bytes().zip(b.bytes()).fold(0, |acc, (x, y)| acc | (x ^ y));
    a.len() == b.len() && differ == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(access: &Access, path: &str, headers: &str) -> Result<String, Refusal> {
        let text = format!("GET {path} HTTP/1.1\r\n{headers}\r\n");
        let request = Request::read(&mut text.as_bytes()).unwrap();
        access.check(&request).map(str::to_owned)
    }

    #[test]
    fn requests_need_the_token_the_own_host_and_the_own_origin() {
        let access = Access::new("127.0.0.1:80".parse().unwrap()).unwrap();
        let path = format!("/{}/page.js", access.token());
        assert_eq!(ask(&access, &path, "Host: localhost:99\r\n"), Ok("page.js".into()));
        assert_eq!(ask(&access, &path, "Host: [::1]:99\r\n"), Ok("page.js".into()));
        let own = "Host: 127.0.0.1:99\r\nOrigin: http://127.0.0.1:99\r\n";
        assert_eq!(ask(&access, &path, own), Ok("page.js".into()));
        for headers in [
            "",
            "Host: evil.example\r\n",
            "Host: 10.0.0.1\r\n",
            "Host: localhost\r\nHost: localhost\r\n",
            "Host: localhost:99\r\nOrigin: http://evil.example\r\n",
            "Host: localhost:99\r\nOrigin: http://localhost:98\r\n",
            "Host: localhost:99\r\nOrigin: null\r\n",
            "Host: localhost:99\r\nOrigin: http://localhost:99\r\nOrigin: http://localhost:99\r\n",
        ] {
            assert!(ask(&access, &path, headers).is_err(), "{headers:?}");
        }
        for path in ["/", "", "/page.js", "//page.js", "/00000000000000000000000000000000/"] {
            assert!(ask(&access, path, "Host: localhost\r\n").is_err(), "{path:?}");
        }
    }

    #[test]
    fn every_server_has_another_token() {
        let new = || Access::new("127.0.0.1:80".parse().unwrap()).unwrap().token().to_owned();
        assert_ne!(new(), new());
        assert_eq!(new().len(), 2 * TOKEN_BYTES);
    }

    #[test]
    fn a_server_on_all_addresses_answers_to_addresses_but_not_to_foreign_names() {
        let access = Access::new("0.0.0.0:80".parse().unwrap()).unwrap();
        let path = format!("/{}/", access.token());
        assert!(ask(&access, &path, "Host: 192.168.1.5:99\r\n").is_ok());
        assert!(ask(&access, &path, "Host: evil.example\r\n").is_err());
    }
}
