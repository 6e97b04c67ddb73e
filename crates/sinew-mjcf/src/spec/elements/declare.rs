//! The macro that declares elements.

/// Declares elements.
macro_rules! elements {
    ($(
        $(#[$meta:meta])*
        $name:ident {
            $($f:ident: $ty:ty = $xml:literal;)*
            $(+ $(#[$emeta:meta])* $e:ident: $ety:ty;)*
        }
    )*) => {
        /// The tables of this file: name and attributes of each.
        pub(super) const TABLE: &[(&str, &[&str])] =
            &[$((stringify!($name), $name::ATTRIBUTES)),*];

        $(
        $(#[$meta])*
        #[derive(Clone, Debug, Default, PartialEq)]
        pub struct $name {
            /// Place, scope and default class.
            pub head: $crate::spec::attr::Head,
            $(#[doc = concat!("Attribute `", $xml, "`.")] pub $f: $crate::spec::attr::Attr<$ty>,)*
            $($(#[$emeta])* pub $e: $ety,)*
        }

        impl $name {
            /// The XML attributes this element knows.
            pub const ATTRIBUTES: &'static [&'static str] = &[$($xml),*];

            /// Reads the attributes; the other parts stay empty.
            pub fn read(src: &mut dyn $crate::spec::attr::AttrSource) -> Self {
                $name {
                    head: src.head(),
                    $($f: $crate::spec::attr::read_attr(src, $xml),)*
                    $($e: Default::default(),)*
                }
            }

            /// This element on top of a default class's.
            pub fn over(&self, _base: &Self) -> Self {
                $name { head: self.head, $($f: self.$f.over(&_base.$f),)* $($e: self.$e.clone(),)* }
            }

            /// The same element after other sources were put before those of its model.
            #[doc(hidden)]
            pub fn shift_places(&mut self, by: u32) {
                self.head.span.shift(by);
                $(self.$f.shift(by);)*
            }

            $(#[doc = concat!("With the attribute `", $xml, "`.")]
            #[must_use]
            pub fn $f(mut self, value: <$ty as $crate::spec::attr::Value>::Given<'_>) -> Self {
                self.$f.set($crate::spec::attr::Value::given(value));
                self
            })*

            /// Attributes as written, in order of declaration.
            pub fn attributes(&self) -> Vec<(&'static str, String)> {
                let mut _out = Vec::new();
                $(if let Some(v) = self.$f.get() {
                    _out.push(($xml, $crate::spec::attr::Value::write(v)));
                })*
                _out
            }
        }
        )*
    };
}

pub(crate) use elements;
