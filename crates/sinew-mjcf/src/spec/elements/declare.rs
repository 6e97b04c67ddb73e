//! The macro that declares elements.

/// Declares elements: for each attribute its field, its type and its name in MJCF. A default
/// follows `or`. The name in `mjs` follows `=>` if it differs, `_` if `mjs` lacks the attribute.
/// The type in `mjs` follows a colon if it differs.
macro_rules! elements {
    ($(
        $(#[$meta:meta])*
        $name:ident {
            $($f:ident: $ty:ty = $xml:literal
                $(or $default:expr $(=> $mjs:tt $(: $kind:expr)?)?)?;)*
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

            /// The attributes that have a default, with their names and types in edited models.
            pub const ROWS: &'static [$crate::spec::kind::Row] = &[$($(
                $crate::spec::kind::Row {
                    name: $crate::spec::elements::declare::elements!(@name $xml $($mjs)?),
                    xml: Some($xml),
                    kind: $crate::spec::elements::declare::elements!(@kind $ty $($(, $kind)?)?),
                    preset: || <$ty as $crate::spec::attr::Value>::preset($default),
                },
            )?)*];

            /// Written values, else the defaults.
            pub fn values(&self) -> $crate::spec::attr::Values<'_, $name> {
                $crate::spec::attr::Values(self)
            }

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

            /// The same element after other sources were put before its model's sources.
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

            /// The attributes that have a default and differ from a base, in the style of MuJoCo's
            /// writer. Only names of a list count, in its order. A star after a name leaves out the
            /// last positions that do not differ.
            pub fn differing(&self, _base: &Self, _order: &str) -> Vec<(&'static str, String)> {
                let mut _out = $crate::spec::attr::Differences::new(_order);
                $($(_out.add($xml, &self.$f, &_base.$f, || $default);)?)*
                _out.in_order()
            }

            /// The values of the attributes that are written, in order of declaration.
            pub fn written(&self) -> Vec<(&'static str, $crate::spec::datum::Datum)> {
                let mut _out = Vec::new();
                $(if let Some(v) = self.$f.get() {
                    _out.push(($xml, $crate::spec::attr::Value::datum(v)));
                })*
                _out
            }

            /// Attributes as written, in order of declaration.
            pub fn attributes(&self) -> Vec<(&'static str, String)> {
                let mut _out = Vec::new();
                $(if let Some(v) = self.$f.get() {
                    _out.push(($xml, $crate::spec::attr::Value::write(v)));
                })*
                _out
            }
        }

        impl<'e> $crate::spec::attr::Values<'e, $name> {
            $($(
            #[doc = concat!("`", $xml, "`; where it is not written, `", stringify!($default), "`.")]
            pub fn $f(self) -> <$ty as $crate::spec::attr::Value>::Whole<'e> {
                <$ty as $crate::spec::attr::Value>::whole(self.0.$f.get(), $default)
            }
            )?)*
        }
        )*
    };
    (@name $xml:literal) => { Some($xml) };
    (@name $xml:literal _) => { None };
    (@name $xml:literal $mjs:ident) => { Some(stringify!($mjs)) };
    (@kind $ty:ty) => { <$ty as $crate::spec::attr::Value>::KIND };
    (@kind $ty:ty, $kind:expr) => { $kind };
}

pub(crate) use elements;
