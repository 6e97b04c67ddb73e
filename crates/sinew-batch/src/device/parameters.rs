//! Parameters of single worlds on a device: values in the memory of the processor, and tables of
//! the kernel that are packed from them.

use std::sync::{Mutex, PoisonError};

use sinew_engine as engine;
use sinew_model::{Data, Model};

use super::DeviceBatch;
use crate::array::Array;
use crate::error::BatchError;
use crate::field::{ModelField, load};
use crate::limits::check_memory;

/// Models that are packed at once.
const PACKED: usize = 256;

impl DeviceBatch {
    /// Makes a field of the model a parameter of every world: its values in all worlds. Only
    /// [`DeviceBatch::set_const`] updates the constants that follow from masses, inertias and
    /// lengths.
    pub fn expand(&mut self, name: &str) -> Result<&Array, BatchError> {
        let place = self.parameters.iter().position(|(known, ..)| known == name);
        let place = match place {
            Some(place) => place,
            None => {
                let field = ModelField::find(name)?;
                let mut model = Model::clone(&self.model);
                let (scalar, shape) = field.layout(&mut model);
                let bytes = scalar.size() * shape.iter().product::<usize>();
                check_memory(self.worlds(), bytes, 0)?;
                let mut array = Array::new(self.worlds(), scalar, shape);
                for world in 0..self.worlds() {
                    field.store(&mut model, array.row_mut(world));
                }
                self.parameters.push((name.to_owned(), field, array));
                self.parameters.len() - 1
            }
        };
        Ok(&self.parameters[place].2)
    }

    /// Names and values of the parameters.
    pub fn parameters(&self) -> impl Iterator<Item = (&str, &Array)> {
        self.parameters.iter().map(|(name, _, array)| (name.as_str(), array))
    }

    /// Writes the values of a parameter in all worlds. The settings act from the next call on.
    pub fn set_parameter(&mut self, name: &str, bytes: &[u8]) -> Result<(), BatchError> {
        let found = self.parameters.iter_mut().find(|(known, ..)| known == name);
        let Some((_, _, array)) = found else {
            return Err(BatchError::Unknown { field: name.to_owned(), of: "batch", nearest: None });
        };
        let (found, wanted) = (bytes.len(), array.bytes().len());
        if found != wanted {
            return Err(BatchError::Length { what: "a parameter, in bytes,", found, wanted });
        }
        let row = array.row_bytes().max(1);
        for (world, new) in bytes.chunks(row).enumerate() {
            if array.row(world) != new {
                array.row_mut(world).copy_from_slice(new);
                self.changed[world] = true;
            }
        }
        Ok(())
    }

    /// Computes, for each world, the constants that follow from its own parameters. The settings
    /// become parameters of every world.
    pub fn set_const(&mut self) -> Result<(), BatchError> {
        if self.parameters.is_empty() {
            return Ok(());
        }
        for name in ModelField::derived() {
            self.expand(&name)?;
        }
        let worlds = self.worlds();
        let derived = Mutex::new(vec![None; worlds]);
        let shares = self.pool.threads().min(worlds);
        let (model, parameters) = (&*self.model, &self.parameters);
        self.pool.run(shares, |share| {
            let mut own = model.clone();
            for world in (share..worlds).step_by(shares) {
                load(parameters, &mut own, world);
                let mut data = Data::new(&own);
                let made = engine::set_const(&mut own, &mut data).map_err(|e| e.to_string());
                let rows = made.map(|_| {
                    let each = parameters.iter().map(|(_, field, array)| {
                        let mut row = vec![0; array.row_bytes()];
                        field.store(&mut own, &mut row);
                        row
                    });
                    each.collect::<Vec<_>>()
                });
                derived.lock().unwrap_or_else(PoisonError::into_inner)[world] = Some(rows);
            }
        })?;
        let derived = derived.into_inner().unwrap_or_else(PoisonError::into_inner);
        for (world, rows) in derived.into_iter().enumerate() {
            let rows = rows.unwrap_or_else(|| Err("its thread stopped".to_owned()));
            let rows = rows.map_err(|text| BatchError::Invalid { world, text })?;
            for ((_, _, array), row) in self.parameters.iter_mut().zip(rows) {
                array.row_mut(world).copy_from_slice(&row);
            }
        }
        self.changed.fill(true);
        Ok(())
    }

    /// The model of a world, with its own parameters.
    pub fn world_model(&self, world: usize) -> Model {
        let mut model = Model::clone(&self.model);
        load(&self.parameters, &mut model, world);
        model
    }

    /// Brings parameters that have changed to the device.
    pub(super) fn apply(&mut self) -> Result<(), BatchError> {
        if !self.changed.contains(&true) {
            return Ok(());
        }
        let worlds: Vec<usize> = (0..self.worlds()).filter(|&w| self.changed[w]).collect();
        for some in worlds.chunks(PACKED) {
            let made = Mutex::new(Vec::new());
            let shares = self.pool.threads().min(some.len());
            let (model, parameters, there) = (&*self.model, &self.parameters, &self.worlds);
            self.pool.run(shares, |share| {
                let mut own = model.clone();
                for &world in some.iter().skip(share).step_by(shares) {
                    load(parameters, &mut own, world);
                    let packed = there.pack(&own);
                    made.lock().unwrap_or_else(PoisonError::into_inner).push((world, packed));
                }
            })?;
            let made = made.into_inner().unwrap_or_else(PoisonError::into_inner);
            let mut packed = Vec::new();
            for (world, result) in made {
                packed.push((world, result?));
            }
            packed.sort_unstable_by_key(|(world, _)| *world);
            self.worlds.set_numbers(&packed, self.stream)?;
        }
        self.changed.fill(false);
        Ok(())
    }
}
