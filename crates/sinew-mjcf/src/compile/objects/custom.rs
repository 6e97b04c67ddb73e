//! Custom fields: numbers, texts and tuples.

use sinew_model::Model;
use sinew_model::enums::ObjType;
use sinew_model::ids::Char;

use crate::compile::cx::{At, Cx};
use crate::compile::rows::put;
use crate::spec::{Numeric, Text, Tuple, object_type};

/// Maximum number of entries in a numeric field.
const MAX_NUMERIC: usize = 500;

/// The custom fields, compiled.
#[derive(Debug, Default)]
pub(crate) struct CustomRec {
    numerics: Vec<Vec<f64>>,
    texts: Vec<String>,
    tuples: Vec<Vec<(ObjType, usize, f64)>>,
}

/// Compiles the custom fields; tuples may name objects of all kinds, which must be final.
pub(crate) fn compile_custom(cx: &mut Cx<'_>) -> CustomRec {
    let spec = cx.spec;
    let mut out = CustomRec::default();

    // numbers
    for (id, e) in spec.numerics.iter().enumerate() {
        let at = At { name: e.name.text(), id, span: e.head.span };
        match numeric(e) {
            Ok(data) => out.numerics.push(data),
            Err(message) => cx.fail(at, message),
        }
    }

    // texts
    for (id, e) in spec.texts.iter().enumerate() {
        let at = At { name: e.name.text(), id, span: e.head.span };
        match text(e) {
            Some(data) => out.texts.push(data),
            None => cx.fail(at, "text field cannot be empty"),
        }
    }

    // tuples
    for (id, e) in spec.tuples.iter().enumerate() {
        match tuple(cx, id, e) {
            Ok(objects) => out.tuples.push(objects),
            Err(message) => {
                cx.fail(At { name: e.name.text(), id, span: e.head.span }, message);
            }
        }
    }
    out
}

fn numeric(e: &Numeric) -> Result<Vec<f64>, String> {
    let mut data = e.values().data().to_vec();
    let size = match e.size.get() {
        Some(&size) => usize::try_from(size).unwrap_or(0),
        None => data.len(),
    };
    if !(1..=MAX_NUMERIC).contains(&size) {
        return Err("custom field size must be between 1 and 500".into());
    }
    if data.len() > size {
        return Err(format!("numeric data has {} numbers, more than its size {size}", data.len()));
    }
    data.resize(size, 0.0);
    Ok(data)
}

fn text(e: &Text) -> Option<String> {
    e.data.get().filter(|t| !t.is_empty()).cloned()
}

fn tuple(cx: &Cx<'_>, id: usize, e: &Tuple) -> Result<Vec<(ObjType, usize, f64)>, String> {
    if e.elements.is_empty() {
        return Err(format!("tuple '{}' (id = {id}) is empty", e.name.text()));
    }
    let mut out = Vec::with_capacity(e.elements.len());
    for element in &e.elements {
        let kind = object_type(element.objtype.text()).ok_or("unknown object type")?;
        let name = element.objname.text();
        let found = cx
            .find(kind, name)
            .ok_or_else(|| format!("unrecognized object '{name}' in tuple {id}"))?;
        out.push((kind, found, element.values().prm()));
    }
    Ok(out)
}

/// Adds the sizes of the custom fields.
pub(crate) fn count_custom(rec: &CustomRec, m: &mut Model) {
    m.nnumeric = rec.numerics.len();
    m.nnumericdata = rec.numerics.iter().map(Vec::len).sum();
    m.ntext = rec.texts.len();
    m.ntextdata = rec.texts.iter().map(|t| t.len() + 1).sum();
    m.ntuple = rec.tuples.len();
    m.ntupledata = rec.tuples.iter().map(Vec::len).sum();
}

/// Copies the custom fields into the model.
pub(crate) fn store_custom(rec: &CustomRec, m: &mut Model) {
    // numbers
    let mut adr = 0;
    for (i, data) in rec.numerics.iter().enumerate() {
        m.numeric_adr[i] = adr as i32;
        m.numeric_size[i] = data.len() as i32;
        put(&mut m.numeric_data, adr, data);
        adr += data.len();
    }

    // texts, each with its terminating zero
    let mut adr = 0;
    for (i, text) in rec.texts.iter().enumerate() {
        m.text_adr[i] = adr as i32;
        m.text_size[i] = text.len() as i32 + 1;
        let chars: Vec<Char> = text.bytes().map(Char).collect();
        put(&mut m.text_data, adr, &chars);
        adr += text.len() + 1;
    }

    // tuples
    let mut adr = 0;
    for (i, objects) in rec.tuples.iter().enumerate() {
        m.tuple_adr[i] = adr as i32;
        m.tuple_size[i] = objects.len() as i32;
        for &(kind, id, prm) in objects {
            m.tuple_objtype[adr] = kind;
            m.tuple_objid[adr] = id as i32;
            m.tuple_objprm[adr] = prm;
            adr += 1;
        }
    }
}
