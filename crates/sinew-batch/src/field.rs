//! Fields of states and models by name: their memory, and copies to and from a world's row.

use sinew_model::fields::Mark;
use sinew_model::lookup::nearest;
use sinew_model::options::{Options, Statistic};
use sinew_model::pod::Scalar;
use sinew_model::record::{Record, RecordField, record_bytes_mut};
use sinew_model::table::Shape;
use sinew_model::{Data, Model};

use crate::array::{Array, put, take};
use crate::error::BatchError;

/// A field of a state.
#[derive(Clone, Copy)]
pub(crate) struct DataField {
    pub(crate) name: &'static str,
    place: DataPlace,
    marks: &'static [Mark],
}

#[derive(Clone, Copy)]
enum DataPlace {
    /// An array, by its index in the table.
    Table(usize),
    Time,
    Energy,
    Niter,
    Nnz,
    Fwdinv,
    /// Counts of warnings.
    Warning,
    /// A read-only count that a step computes.
    Count(fn(&Data) -> usize),
}

/// Fields that are not arrays of the table, with their roles.
const SPECIAL: &[(&str, DataPlace, &[Mark])] = &[
    ("time", DataPlace::Time, &[Mark::Carried]),
    ("energy", DataPlace::Energy, &[Mark::Result]),
    ("solver_niter", DataPlace::Niter, &[]),
    ("solver_nnz", DataPlace::Nnz, &[]),
    ("solver_fwdinv", DataPlace::Fwdinv, &[]),
    ("warning", DataPlace::Warning, &[Mark::Carried]),
    ("ncon", DataPlace::Count(|d| d.ncon), &[]),
    ("ne", DataPlace::Count(|d| d.ne), &[]),
    ("nf", DataPlace::Count(|d| d.nf), &[]),
    ("nl", DataPlace::Count(|d| d.nl), &[]),
    ("nefc", DataPlace::Count(|d| d.nefc), &[]),
    ("nisland", DataPlace::Count(|d| d.nisland), &[]),
    ("ntree_awake", DataPlace::Count(|d| d.ntree_awake), &[]),
    ("nv_awake", DataPlace::Count(|d| d.nv_awake), &[]),
];

impl DataField {
    /// Finds a field by name.
    pub(crate) fn find(name: &str) -> Result<DataField, BatchError> {
        if let Some(&(name, place, marks)) = SPECIAL.iter().find(|(n, ..)| *n == name) {
            return Ok(DataField { name, place, marks });
        }
        let index = Data::FIELDS.iter().position(|f| f.name == name);
        match index {
            Some(index) if Data::FIELDS[index].fixed => Ok(DataField::of_table(index)),
            _ if index.is_some() || matches!(name, "contact" | "solver") => {
                Err(BatchError::List(name.to_owned()))
            }
            _ => {
                let names = Data::FIELDS.iter().filter(|f| f.fixed).map(|f| f.name);
                let nearest = nearest(name, names.chain(SPECIAL.iter().map(|(name, ..)| *name)));
                Err(BatchError::Unknown { field: name.to_owned(), of: "state", nearest })
            }
        }
    }

    /// An array, by its index in the table.
    fn of_table(index: usize) -> DataField {
        let info = &Data::FIELDS[index];
        DataField { name: info.name, place: DataPlace::Table(index), marks: info.marks }
    }

    /// All fields with a role.
    pub(crate) fn marked(mark: Mark) -> impl Iterator<Item = DataField> {
        let special = SPECIAL.iter().map(|&(name, place, marks)| DataField { name, place, marks });
        let table = (0..Data::FIELDS.len()).map(DataField::of_table);
        special.chain(table).filter(move |f| f.has(mark))
    }

    /// Whether the field has a role.
    pub(crate) fn has(&self, mark: Mark) -> bool {
        self.marks.contains(&mark)
    }

    /// Type and shape of the field in a state.
    pub(crate) fn layout(&self, d: &mut Data) -> (Scalar, Vec<usize>) {
        match self.place {
            DataPlace::Table(index) => (Data::FIELDS[index].scalar, dims(Data::ACCESS[index](d).0)),
            DataPlace::Time => (Scalar::F64, vec![]),
            DataPlace::Energy | DataPlace::Fwdinv => (Scalar::F64, vec![2]),
            DataPlace::Niter => (Scalar::I32, vec![d.solver_niter.len()]),
            DataPlace::Nnz => (Scalar::I32, vec![d.solver_nnz.len()]),
            DataPlace::Warning => (Scalar::I32, vec![d.warning.len()]),
            DataPlace::Count(_) => (Scalar::I32, vec![]),
        }
    }

    /// Copies a world's row into the state.
    pub(crate) fn load(&self, d: &mut Data, row: &[u8]) {
        match self.place {
            DataPlace::Table(index) => Data::ACCESS[index](d).1.copy_from_slice(row),
            DataPlace::Time => take(core::slice::from_mut(&mut d.time), row),
            DataPlace::Energy => take(&mut d.energy, row),
            DataPlace::Niter => take(&mut d.solver_niter, row),
            DataPlace::Nnz => take(&mut d.solver_nnz, row),
            DataPlace::Fwdinv => take(&mut d.solver_fwdinv, row),
            DataPlace::Warning => {
                let mut counts = [0; 8];
                take(&mut counts, row);
                for (warning, count) in d.warning.iter_mut().zip(counts) {
                    warning.number = count;
                }
            }
            DataPlace::Count(_) => {}
        }
    }

    /// Copies the state into a world's row.
    pub(crate) fn store(&self, d: &mut Data, row: &mut [u8]) {
        match self.place {
            DataPlace::Table(index) => row.copy_from_slice(Data::ACCESS[index](d).1),
            DataPlace::Time => put(row, &[d.time]),
            DataPlace::Energy => put(row, &d.energy),
            DataPlace::Niter => put(row, &d.solver_niter),
            DataPlace::Nnz => put(row, &d.solver_nnz),
            DataPlace::Fwdinv => put(row, &d.solver_fwdinv),
            DataPlace::Warning => put(row, &d.warning.map(|w| w.number)),
            DataPlace::Count(count) => put(row, &[i32::try_from(count(d)).unwrap_or(i32::MAX)]),
        }
    }
}

/// A field of a model.
#[derive(Clone, Copy)]
pub(crate) struct ModelField {
    pub(crate) name: &'static str,
    place: ModelPlace,
}

#[derive(Clone, Copy)]
enum ModelPlace {
    /// An array, by its index in the table.
    Table(usize),
    Option(&'static RecordField),
    Statistic(&'static RecordField),
}

impl ModelField {
    /// Finds a field by name: an array, or a member of `opt.` or `stat.`.
    pub(crate) fn find(name: &str) -> Result<ModelField, BatchError> {
        let unknown = |nearest| {
            let field = name.to_owned();
            BatchError::Unknown { field, of: "model", nearest }
        };
        let record = |fields: &'static [RecordField], field: &str| {
            let mut known = fields.iter().filter(|f| !f.name.starts_with("pad"));
            let found = known.clone().find(|f| f.name == field);
            found.ok_or_else(|| unknown(nearest(field, known.by_ref().map(|f| f.name))))
        };
        if let Some(field) = name.strip_prefix("opt.") {
            let field = record(Options::FIELDS, field)?;
            return Ok(ModelField { name: field.name, place: ModelPlace::Option(field) });
        }
        if let Some(field) = name.strip_prefix("stat.") {
            let field = record(Statistic::FIELDS, field)?;
            return Ok(ModelField { name: field.name, place: ModelPlace::Statistic(field) });
        }
        let index = Model::FIELDS.iter().position(|f| f.name == name);
        let near = || nearest(name, Model::FIELDS.iter().map(|f| f.name));
        let index = index.ok_or_else(|| unknown(near()))?;
        if Model::FIELDS[index].scalar == Scalar::Char {
            return Err(BatchError::Structure(name.to_owned()));
        }
        Ok(ModelField { name: Model::FIELDS[index].name, place: ModelPlace::Table(index) })
    }

    /// Names of the constants that `set_const` computes: the marked arrays and all statistics.
    pub(crate) fn derived() -> impl Iterator<Item = String> {
        let arrays = Model::FIELDS.iter().filter(|f| f.has(Mark::Derived));
        let statistics = Statistic::FIELDS.iter().map(|f| format!("stat.{}", f.name));
        arrays.map(|f| f.name.to_owned()).chain(statistics)
    }

    /// Type and shape of the field in a model.
    pub(crate) fn layout(&self, m: &mut Model) -> (Scalar, Vec<usize>) {
        match self.place {
            ModelPlace::Table(index) => {
                (Model::FIELDS[index].scalar, dims(Model::ACCESS[index](m).0))
            }
            ModelPlace::Option(f) | ModelPlace::Statistic(f) => {
                (f.scalar, if f.width > 1 { vec![f.width] } else { vec![] })
            }
        }
    }

    /// The bytes of the field in a model.
    fn bytes<'a>(&self, m: &'a mut Model) -> &'a mut [u8] {
        let part = |bytes: &'a mut [u8], f: &RecordField| -> &'a mut [u8] {
            &mut bytes[f.offset..][..f.width * f.scalar.size()]
        };
        match self.place {
            ModelPlace::Table(index) => Model::ACCESS[index](m).1,
            ModelPlace::Option(f) => part(record_bytes_mut(&mut m.opt), f),
            ModelPlace::Statistic(f) => part(record_bytes_mut(&mut m.stat), f),
        }
    }

    /// Copies a world's row into the model.
    pub(crate) fn load(&self, m: &mut Model, row: &[u8]) {
        self.bytes(m).copy_from_slice(row);
    }

    /// Copies the model into a world's row.
    pub(crate) fn store(&self, m: &mut Model, row: &mut [u8]) {
        row.copy_from_slice(self.bytes(m));
    }
}

/// A field of the model that worlds have for themselves: its name as it was asked for.
pub(crate) type Parameter = (String, ModelField, Array);

/// Writes a world's own values into a model.
pub(crate) fn load(parameters: &[Parameter], model: &mut Model, world: usize) {
    for (_, field, array) in parameters {
        field.load(model, array.row(world));
    }
}

/// A table's shape as numpy writes it.
fn dims(shape: Shape) -> Vec<usize> {
    core::iter::once(shape.rows).chain(shape.cols).collect()
}
