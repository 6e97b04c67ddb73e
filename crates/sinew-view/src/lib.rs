//! A viewer in the browser: a server sends draw lists and receives the users' events.
//!
//! [`Viewer`] shows a model file. Programs that make the steps themselves use its parts, [`Server`]
//! and [`Session`]. A program passes its model and data to [`Session::post_frame`] when pages
//! should be updated, and the events of pages to [`Session::apply`].
//!
//! The simulation never waits for a page. A new message replaces the unsent message of the same
//! kind (`board`). Each page has a thread that sends the newest frame once the page has drawn the
//! previous frame. Geometry is sent once per model (`assets`), the style when it changes, and poses
//! with every frame (`frame`).

#![cfg_attr(test, allow(clippy::unwrap_used))]

mod access;
mod assets;
mod board;
mod connections;
mod digest;
mod event;
mod frame;
mod history;
mod http;
mod page;
mod physics;
mod player;
mod policy;
mod poses;
mod profile;
mod recording;
mod server;
mod session;
mod source;
mod view;
mod websocket;
mod widgets;
mod wire;

pub use event::{Choice, Event, Pointer};
pub use physics::set_option;
pub use player::Player;
pub use policy::{Command, INPUTS, MAX_POLICY, Policy};
pub use recording::Recording;
pub use server::Server;
pub use session::{MAX_GEOM, Session, Status};
pub use view::{Options, Start, ViewError, Viewer};
pub use widgets::{Input, WidgetId, Widgets};
