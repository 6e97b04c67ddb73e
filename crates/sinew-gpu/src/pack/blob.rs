//! The writer of a packed model: every table of the kernel as a vector, then all of them as bytes.
#![allow(unsafe_code)] // plain numbers as bytes

use core::mem::offset_of;

use sinew_kernel::contact;
use sinew_kernel::real::Real;
use sinew_kernel::tables::{Counts, Header, Scalars, Span, State, Work};
use sinew_kernel::transmission;
use sinew_kernel::with_fields;
use sinew_model::enums::SensorType;

use super::packed::{Field, Packed, Sizes, Unsupported};

/// Addresses have 32 bits; some are left for rounding up.
const MOST_BYTES: usize = u32::MAX as usize - 256;

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
        /// The tables.
        #[allow(non_snake_case)] // M_row
        #[derive(Default)]
        pub(super) struct Blob<R> {
            pub(super) scalars: Scalars<R>,
            pub(super) counts: Counts,
            pub(super) state: Lengths,
            pub(super) work: WorkLengths,
            /// Rows of the table `response`.
            pub(super) response_rows: Vec<[f64; 7]>,
            /// Maximum number of rows of constraints at once.
            pub(super) most_rows: usize,
            /// Sensors that the kernel does not read.
            pub(super) unread: Vec<SensorType>,
            pub(super) sizes: Sizes,
            $(pub(super) $real: Vec<R>,)*
            $(pub(super) $word: Vec<u32>,)*
        }

        /// Numbers of each field of a state.
        #[derive(Default)]
        pub(super) struct Lengths { $(pub(super) $state: usize,)* }

        /// Numbers of each field of a workspace.
        #[allow(non_snake_case)] // M
        #[derive(Default)]
        pub(super) struct WorkLengths {
            $(pub(super) $work: usize,)*
            $(pub(super) $index: usize,)*
        }

        impl<R: Real> Blob<R> {
            /// The blob's bytes and layout; an error if a layout has addresses beyond 32 bits.
            pub(super) fn finish(self) -> Result<Packed, Unsupported> {
                let mut header = Header::<R> {
                    scalars: self.scalars, counts: self.counts, ..Header::default()
                };
                let (mut state, mut work) = (Layout::default(), Layout::default());
                header.state = State { $($state: state.add(self.state.$state, 1),)* };
                header.work = Work {
                    $($work: work.add(self.work.$work, size_of::<R>()),)*
                    $($index: work.add(self.work.$index, size_of::<u32>()),)*
                };
                let mut bytes = Layout { end: size_of::<Header<R>>().next_multiple_of(16) };
                let numbers = bytes.end;
                $(header.tables.$real = bytes.add(self.$real.len(), size_of::<R>());)*
                let numbers = numbers..bytes.end;
                $(header.tables.$word = bytes.add(self.$word.len(), size_of::<u32>());)*

                let large = [state.end, work.end, bytes.end].into_iter().max();
                if large > Some(MOST_BYTES) {
                    return Err(Unsupported { features: vec!["workspaces beyond 4 GiB"] });
                }

                let mut words = vec![0; bytes.end.div_ceil(16)];
                write_header(&mut words, &header);
                $(write(&mut words, header.tables.$real.at, &self.$real);)*
                $(write(&mut words, header.tables.$word.at, &self.$word);)*
                Ok(Packed {
                    words,
                    numbers,
                    number: size_of::<R>(),
                    sizes: self.sizes,
                    unread: self.names_of_unread(),
                    state_stride: state.end.next_multiple_of(4) as u32,
                    work_stride: work.end.next_multiple_of(128) as u32,
                    plain: self.is_plain(),
                    rare_sensors: self.counts.nrare > 0,
                    fields: header.state.fields().map(field).collect(),
                    work_fields: header.work.reals().map(field).collect(),
                    work_words: header.work.words().map(field).collect(),
                })
            }
        }
    };
}
with_fields!(declare);

impl<R> Blob<R> {
    /// The types of sensors that the kernel does not read, each once.
    fn names_of_unread(&self) -> Vec<&'static str> {
        let name = |kind: &SensorType| {
            SensorType::VALUES
                .iter()
                .find(|(_, value)| *value == i64::from(kind.0))
                .map(|(name, _)| *name)
        };
        let mut names: Vec<&str> = self.unread.iter().filter_map(name).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// Whether no part is needed that few models need.
    fn is_plain(&self) -> bool {
        let Counts { rk4, conjugate, elliptic, fluid, nsite, nspan, nstanding, .. } = self.counts;
        let Counts { nheavy, sloped, delayed, nkeeping, lifted, .. } = self.counts;
        let joined = [transmission::kind::JOINT, transmission::kind::JOINT_IN_PARENT];
        let pulled = transmission::kind::TENDON;
        [rk4, conjugate, elliptic, fluid, nsite, nspan, nstanding].iter().all(|&n| n == 0)
            && [nheavy, sloped, delayed, nkeeping, lifted].iter().all(|&n| n == 0)
            && self.pair_kind.iter().all(|&kind| contact::kind::is_round(kind))
            && self.act_kind.iter().all(|kind| joined.contains(kind) || *kind == pulled)
            && self.act_muscle.iter().all(|&parts| parts == 0)
    }
}

fn field((name, span): (&'static str, Span)) -> Field {
    Field { name, offset: span.at as usize, width: span.len as usize }
}

/// A growing layout.
#[derive(Default)]
struct Layout {
    end: usize,
}

impl Layout {
    /// Adds a field, aligned to 16 bytes if its items have bytes.
    fn add(&mut self, len: usize, size: usize) -> Span {
        let at = self.end;
        self.end += len * size;
        if size > 1 {
            self.end = self.end.next_multiple_of(16);
        }
        // beyond 32 bits `finish` has an error
        Span { at: at as u32, len: len as u32 }
    }
}

/// Writes a header part by part: the padding between parts stays zero.
fn write_header<R: Real>(words: &mut [u128], header: &Header<R>) {
    write(words, offset_of!(Header<R>, counts) as u32, &[header.counts]);
    write(words, offset_of!(Header<R>, tables) as u32, &[header.tables]);
    write(words, offset_of!(Header<R>, state) as u32, &[header.state]);
    write(words, offset_of!(Header<R>, work) as u32, &[header.work]);
    write(words, offset_of!(Header<R>, scalars) as u32, &[header.scalars]);
}

fn write<T: Copy>(to: &mut [u128], at: u32, from: &[T]) {
    let size = size_of_val(from);
    assert!(at as usize + size <= size_of_val(to), "a table is beyond the blob");
    // SAFETY: the place is inside, the tables are numbers, and neither overlaps the other.
    unsafe {
        let place = to.as_mut_ptr().cast::<u8>().add(at as usize);
        core::ptr::copy_nonoverlapping(from.as_ptr().cast::<u8>(), place, size);
    }
}
