//! The layout of a packed model, of the state of a world, and of a workspace: each field once.
#![allow(unsafe_code)] // a header is bytes from outside

use crate::memory::{Cells, Slice};

/// Where a field is, and its length.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct Span {
    /// Of a model and a workspace: the first byte. Of a state: the first number.
    pub at: u32,
    /// How many items it has.
    pub len: u32,
}

/// Every field, for a macro that takes them all: `sinew-gpu` makes the writer of models of it.
#[macro_export]
macro_rules! with_fields {
    ($with:ident) => {
        $with! {
            scalars {
                timestep: "seconds of a step";
            }
            counts {
                nq: "numbers of a position";
                nv: "degrees of freedom";
            }
            reals {
                gravity: "gravity";
            }
            words {
                body_parent: "parent body";
            }
            state {
                time: "seconds";
                qpos: "position";
                qvel: "velocity";
            }
            work_reals {
                qacc: "acceleration";
            }
            work_words {
                unused: "nothing";
            }
        }
    };
}

macro_rules! declare {
    (
        scalars { $($scalar:ident: $scalar_doc:literal;)* }
        counts { $($count:ident: $count_doc:literal;)* }
        reals { $($real:ident: $real_doc:literal;)* }
        words { $($word:ident: $word_doc:literal;)* }
        state { $($state:ident: $state_doc:literal;)* }
        work_reals { $($work:ident: $work_doc:literal;)* }
        work_words { $($index:ident: $index_doc:literal;)* }
    ) => {
        /// Single numbers of a model.
        #[derive(Clone, Copy, Debug, Default)]
        #[repr(C)]
        pub struct Scalars<R> { $(#[doc = $scalar_doc] pub $scalar: R,)* }

        /// Sizes of a model.
        #[derive(Clone, Copy, Debug, Default)]
        #[repr(C)]
        pub struct Counts { $(#[doc = $count_doc] pub $count: u32,)* }

        /// Where the tables of a model are.
        #[derive(Clone, Copy, Debug, Default)]
        #[repr(C)]
        pub struct Tables {
            $(#[doc = $real_doc] pub $real: Span,)*
            $(#[doc = $word_doc] pub $word: Span,)*
        }

        /// Where the fields of a world's state are.
        #[derive(Clone, Copy, Debug, Default)]
        #[repr(C)]
        pub struct State { $(#[doc = $state_doc] pub $state: Span,)* }

        /// Where the fields of a workspace are.
        #[derive(Clone, Copy, Debug, Default)]
        #[repr(C)]
        pub struct Work {
            $(#[doc = $work_doc] pub $work: Span,)*
            $(#[doc = $index_doc] pub $index: Span,)*
        }

        impl State {
            /// Every field with its name.
            pub fn fields(&self) -> impl Iterator<Item = (&'static str, Span)> {
                [$((stringify!($state), self.$state)),*].into_iter()
            }
        }

        impl Work {
            /// Every field of numbers with its name.
            pub fn reals(&self) -> impl Iterator<Item = (&'static str, Span)> {
                [$((stringify!($work), self.$work)),*].into_iter()
            }
        }

        impl<'a, R: Copy> Model<'a, R> {
            $(#[doc = $real_doc] #[inline(always)]
            pub fn $real(self) -> Slice<'a, R> { self.table(self.header.tables.$real) })*
            $(#[doc = $word_doc] #[inline(always)]
            pub fn $word(self) -> Slice<'a, u32> { self.table(self.header.tables.$word) })*
        }

        impl<'a, R: Copy> World<'a, R> {
            $(#[doc = $state_doc] #[inline(always)]
            pub fn $state(self) -> Cells<'a, R> { self.of_state(self.model.header.state.$state) })*
            $(#[doc = $work_doc] #[inline(always)]
            pub fn $work(self) -> Cells<'a, R> { self.of_work(self.model.header.work.$work) })*
            $(#[doc = $index_doc] #[inline(always)]
            pub fn $index(self) -> Cells<'a, u32> { self.of_work(self.model.header.work.$index) })*
        }
    };
}
with_fields!(declare);

/// The beginning of a packed model.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub struct Header<R> {
    /// Single numbers.
    pub scalars: Scalars<R>,
    /// Sizes.
    pub counts: Counts,
    /// Tables.
    pub tables: Tables,
    /// Fields of a state.
    pub state: State,
    /// Fields of a workspace.
    pub work: Work,
}

/// A packed model.
#[derive(Debug)]
pub struct Model<'a, R> {
    base: *const u8,
    header: &'a Header<R>,
}

/// The state of a world and the workspace of the team that steps it.
#[derive(Debug)]
pub struct World<'a, R> {
    model: Model<'a, R>,
    state: *mut R,
    work: *mut u8,
}

impl<R> Clone for Model<'_, R> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<R> Copy for Model<'_, R> {}

impl<R> Clone for World<'_, R> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<R> Copy for World<'_, R> {}

impl<R> core::ops::Deref for Model<'_, R> {
    type Target = Counts;
    #[inline(always)]
    fn deref(&self) -> &Counts {
        &self.header.counts
    }
}

impl<'a, R: Copy> Model<'a, R> {
    /// The model at `at`.
    ///
    /// # Safety
    /// It is one that was packed for `R`, whole, aligned to 16 bytes, and unchanged for `'a`.
    #[inline(always)]
    pub unsafe fn new(at: *const u8) -> Model<'a, R> {
        // SAFETY: the caller's promise.
        Model { base: at, header: unsafe { &*at.cast() } }
    }

    /// Single numbers of the model.
    #[inline(always)]
    pub fn scalars(self) -> &'a Scalars<R> {
        &self.header.scalars
    }

    #[inline(always)]
    fn table<T: Copy>(self, span: Span) -> Slice<'a, T> {
        // SAFETY: the promise of `new`: a span lies in the model.
        unsafe { Slice::new(self.base.add(span.at as usize).cast(), span.len as usize) }
    }
}

impl<'a, R: Copy> World<'a, R> {
    /// The world with a state and a workspace.
    ///
    /// # Safety
    /// Both are as long as the header says, aligned to 16 bytes, initialized, and for `'a` used by
    /// one team alone.
    #[inline(always)]
    pub unsafe fn new(model: Model<'a, R>, state: *mut R, work: *mut u8) -> World<'a, R> {
        World { model, state, work }
    }

    #[inline(always)]
    fn of_state(self, span: Span) -> Cells<'a, R> {
        // SAFETY: the promise of `new`.
        unsafe { Cells::new(self.state.add(span.at as usize), span.len as usize) }
    }

    #[inline(always)]
    fn of_work<T: Copy>(self, span: Span) -> Cells<'a, T> {
        // SAFETY: the promise of `new`.
        unsafe { Cells::new(self.work.add(span.at as usize).cast(), span.len as usize) }
    }
}
