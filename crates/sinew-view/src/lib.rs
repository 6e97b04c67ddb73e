//! A viewer in the browser: a server that sends draw lists and receives what users do.
//!
//! [`Viewer`] shows a model file. [`Server`] and [`Session`] are its parts, for programs that make
//! the steps themselves: they hand their model and data to [`Session::post_frame`] whenever pages
//! should see them, and [`Session::apply`] the events that pages send.
//!
//! The simulation never waits for a page. What it posts replaces what it posted before (`board`);
//! a thread of every page sends the newest whenever the page has drawn the last. Geometry is sent
//! once per model (`assets`), looks when they change, places with every frame (`frame`).

#![cfg_attr(test, allow(clippy::unwrap_used))]

mod access;
mod assets;
mod board;
mod digest;
mod event;
mod frame;
mod history;
mod http;
mod page;
mod player;
mod recording;
mod server;
mod session;
mod source;
mod view;
mod websocket;
mod wire;

pub use event::{Choice, Event, Pointer};
pub use player::Player;
pub use recording::Recording;
pub use server::Server;
pub use session::{MAX_GEOM, Session, Status};
pub use view::{Options, ViewError, Viewer};
