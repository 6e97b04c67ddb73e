//! Sliders, buttons and texts that a program adds to the page.
//!
//! ```
//! use sinew_view::{Input, Widgets};
//!
//! let mut widgets = Widgets::default();
//! let height = widgets.add_slider("height", [0.0, 2.0], 1.0);
//! let jump = widgets.add_button("jump");
//!
//! // what a page sends when its user acts
//! widgets.apply(height, &Input::Number(1.5));
//! widgets.apply(jump, &Input::Press);
//! assert_eq!(widgets.number(height), 1.5);
//! assert_eq!(widgets.take_touched(), [height, jump]);
//! ```

use serde_json::{Value, json};

/// Maximum number of widgets, and of characters in a text.
const MAX_WIDGETS: usize = 1000;
const MAX_TEXT: usize = 10_000;

/// The number of a widget, which no other widget gets later.
pub type WidgetId = u32;

/// A user's action on a widget.
#[derive(Clone, Debug, PartialEq)]
pub enum Input {
    /// Moved a slider to a number.
    Number(f64),
    /// Moved a slider by a number, as keys do.
    Change(f64),
    /// Typed a text.
    Text(String),
    /// Pressed a button.
    Press,
}

#[derive(Clone, Debug)]
enum WidgetKind {
    Slider { range: [f64; 2], value: f64 },
    Button,
    Text { text: String, editable: bool },
}

#[derive(Clone, Debug)]
struct Widget {
    id: WidgetId,
    name: String,
    kind: WidgetKind,
}

/// The widgets of a simulation, in the order in which pages show them.
#[derive(Clone, Debug)]
pub struct Widgets {
    title: String,
    list: Vec<Widget>,
    last: WidgetId,
    touched: Vec<WidgetId>,
    changed: bool,
    /// Whether arrow keys move the sliders.
    steered: bool,
}

impl Default for Widgets {
    fn default() -> Widgets {
        Widgets::new("Script")
    }
}

impl Widgets {
    /// No widgets yet, under a title.
    pub fn new(title: &str) -> Widgets {
        let title = clipped(title);
        let (list, touched) = (Vec::new(), Vec::new());
        Widgets { title, list, last: 0, touched, changed: false, steered: false }
    }

    /// Lets arrow keys move the sliders: up and down the first, left and right the last, with Shift
    /// the second.
    pub fn steer(&mut self) {
        self.steered = true;
        self.changed = true;
    }

    /// Adds a slider between two numbers.
    pub fn add_slider(&mut self, name: &str, range: [f64; 2], value: f64) -> WidgetId {
        self.add(name, WidgetKind::Slider { range, value: within(value, range) })
    }

    /// Adds a button.
    pub fn add_button(&mut self, name: &str) -> WidgetId {
        self.add(name, WidgetKind::Button)
    }

    /// Adds a text, which users may change if it is `editable`.
    pub fn add_text(&mut self, name: &str, text: &str, editable: bool) -> WidgetId {
        self.add(name, WidgetKind::Text { text: clipped(text), editable })
    }

    fn add(&mut self, name: &str, kind: WidgetKind) -> WidgetId {
        self.last += 1;
        // beyond the limit a widget exists for the program only
        if self.list.len() < MAX_WIDGETS {
            self.list.push(Widget { id: self.last, name: clipped(name), kind });
            self.changed = true;
        }
        self.last
    }

    /// Removes a widget.
    pub fn remove(&mut self, id: WidgetId) {
        self.list.retain(|widget| widget.id != id);
        self.changed = true;
    }

    /// The value of a slider; 0 for anything else.
    pub fn number(&self, id: WidgetId) -> f64 {
        match self.find(id) {
            Some(WidgetKind::Slider { value, .. }) => *value,
            _ => 0.0,
        }
    }

    /// The content of a text; empty for anything else.
    pub fn text(&self, id: WidgetId) -> &str {
        match self.find(id) {
            Some(WidgetKind::Text { text, .. }) => text,
            _ => "",
        }
    }

    /// Moves a slider, within its range.
    pub fn set_number(&mut self, id: WidgetId, x: f64) {
        if let Some(WidgetKind::Slider { range, value }) = self.find_mut(id)
            && *value != within(x, *range)
        {
            *value = within(x, *range);
            self.changed = true;
        }
    }

    /// Replaces a text.
    pub fn set_text(&mut self, id: WidgetId, new: &str) {
        if let Some(WidgetKind::Text { text, .. }) = self.find_mut(id)
            && text != new
        {
            *text = clipped(new);
            self.changed = true;
        }
    }

    /// Applies a user's action; input that does not fit the widget is ignored.
    pub fn apply(&mut self, id: WidgetId, input: &Input) {
        match (self.find(id), input) {
            (Some(WidgetKind::Slider { .. }), &Input::Number(x)) => self.set_number(id, x),
            (Some(&WidgetKind::Slider { value, .. }), &Input::Change(x)) => {
                self.set_number(id, value + x)
            }
            (Some(WidgetKind::Text { editable: true, .. }), Input::Text(text)) => {
                self.set_text(id, text)
            }
            (Some(WidgetKind::Button), Input::Press) => {}
            _ => return,
        }
        self.touched.push(id);
    }

    /// The widgets that users touched since the last call, in order; a button is listed for every
    /// press, others once.
    pub fn take_touched(&mut self) -> Vec<WidgetId> {
        let touched = std::mem::take(&mut self.touched);
        let mut kept: Vec<WidgetId> = Vec::new();
        for id in touched {
            if matches!(self.find(id), Some(WidgetKind::Button)) || !kept.contains(&id) {
                kept.push(id);
            }
        }
        kept
    }

    fn find(&self, id: WidgetId) -> Option<&WidgetKind> {
        self.list.iter().find(|widget| widget.id == id).map(|widget| &widget.kind)
    }

    fn find_mut(&mut self, id: WidgetId) -> Option<&mut WidgetKind> {
        self.list.iter_mut().find(|widget| widget.id == id).map(|widget| &mut widget.kind)
    }

    /// The list for pages, if it has changed.
    pub(crate) fn news(&mut self) -> Option<Value> {
        let entry = |Widget { id, name, kind }: &Widget| match kind {
            WidgetKind::Slider { range, value } => {
                json!({ "id": id, "kind": "slider", "name": name, "range": range, "value": value })
            }
            WidgetKind::Button => json!({ "id": id, "kind": "button", "name": name }),
            WidgetKind::Text { text, editable } => {
                json!({ "id": id, "kind": "text", "name": name, "text": text, "editable": editable })
            }
        };
        std::mem::take(&mut self.changed).then(|| {
            let list: Vec<Value> = self.list.iter().map(entry).collect();
            json!({ "title": self.title, "list": list, "steered": self.steered })
        })
    }
}

/// A number within a range, also if the range is reversed or the number is NaN.
fn within(x: f64, [low, high]: [f64; 2]) -> f64 {
    x.min(low.max(high)).max(low.min(high))
}

fn clipped(text: &str) -> String {
    text.chars().take(MAX_TEXT).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn input_that_does_not_fit_is_ignored() {
        let mut widgets = Widgets::default();
        let slider = widgets.add_slider("a", [0.0, 1.0], 5.0);
        let shown = widgets.add_text("b", "fixed", false);
        assert_eq!(widgets.number(slider), 1.0);
        widgets.apply(slider, &Input::Text("x".into()));
        widgets.apply(shown, &Input::Text("changed".into()));
        widgets.apply(99, &Input::Press);
        assert!(widgets.take_touched().is_empty());
        assert_eq!(widgets.text(shown), "fixed");
        widgets.apply(slider, &Input::Number(-3.0));
        assert_eq!(widgets.number(slider), 0.0);
        widgets.apply(slider, &Input::Change(0.25));
        widgets.apply(slider, &Input::Change(0.25));
        assert_eq!(widgets.number(slider), 0.5);
    }

    #[test]
    fn pages_get_news_once_and_numbers_are_not_used_again() {
        let mut widgets = Widgets::default();
        assert!(widgets.news().is_none());
        let first = widgets.add_button("a");
        assert_eq!(widgets.news().unwrap()["list"][0]["name"], "a");
        assert!(widgets.news().is_none());
        widgets.remove(first);
        assert_ne!(widgets.add_button("b"), first);
        for _ in 0..2 * MAX_WIDGETS {
            widgets.add_button("many");
        }
        assert_eq!(widgets.news().unwrap()["list"].as_array().unwrap().len(), MAX_WIDGETS);
    }

    #[test]
    fn every_press_counts() {
        let mut widgets = Widgets::default();
        let (button, slider) = (widgets.add_button("a"), widgets.add_slider("b", [0.0, 1.0], 0.0));
        for _ in 0..3 {
            widgets.apply(button, &Input::Press);
            widgets.apply(slider, &Input::Number(0.5));
        }
        assert_eq!(widgets.take_touched(), [button, slider, button, button]);
    }
}
