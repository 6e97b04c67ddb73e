//! Null, wrong and unknown things are errors with a reason.
#![allow(unsafe_code)]

use std::ffi::{CStr, CString};
use std::ptr::{null, null_mut};

use sinew_c::*;

fn reason() -> String {
    // SAFETY: the library's own text
    unsafe { CStr::from_ptr(sinew_last_error()) }.to_string_lossy().into_owned()
}

fn loaded(xml: &str) -> *mut SinewModel {
    let xml = CString::new(xml).unwrap();
    // SAFETY: a C string
    unsafe { sinew_load_string(xml.as_ptr()) }
}

const ONE: &str =
    "<mujoco><worldbody><body name='b'><joint name='j'/><geom size='1'/></body></worldbody>
    <keyframe><key qpos='.5'/></keyframe></mujoco>";
const TWO: &str =
    "<mujoco><worldbody><body><freejoint/><geom size='1'/></body></worldbody></mujoco>";

#[test]
fn misuse_has_a_reason() {
    let (one, two) = (loaded(ONE), loaded(TWO));
    // SAFETY: handles of the library, in use until they are freed below
    unsafe {
        let data = sinew_data_new(one);
        assert_eq!(sinew_step(one, null_mut(), 1), -1);
        assert_eq!(reason(), "the data is NULL");
        assert_eq!(sinew_step(data.cast(), data, 1), -1);
        assert_eq!(reason(), "the handle is not that of a model");
        assert_eq!(sinew_step(two, data, 1), -1);
        assert_eq!(reason(), "the data was made for another model");
        assert_eq!(sinew_reset_keyframe(one, data, 1), -1);
        assert_eq!(reason(), "the model has 1 keyframes");
        assert_eq!(sinew_size(one, c"nqq".as_ptr()), -1);
        assert_eq!(reason(), "no size is called 'nqq'");
        assert_eq!(sinew_name2id(one, c"bodies".as_ptr(), c"b".as_ptr()), -1);
        assert_eq!(reason(), "no kind of object is called 'bodies'");
        assert_eq!(sinew_name2id(one, c"body".as_ptr(), null()), -1);
        assert_eq!(reason(), "a text is NULL");
        let mut numbers = [0.0; 3];
        assert_eq!(sinew_get_state(one, data, numbers.as_mut_ptr(), 3, 1), -1);
        assert_eq!(sinew_get_state(one, data, null_mut(), 1, 1), -1);
        assert_eq!(sinew_data_field(data, c"qpos".as_ptr(), null_mut()), -1);
        assert!(sinew_load_file(c"nowhere.xml".as_ptr()).is_null());
        assert!(reason().contains("nowhere.xml"), "{}", reason());
        assert!(sinew_time(null()).is_nan());
        assert!(sinew_id2name(one, c"geom".as_ptr(), 0).is_null());
        sinew_model_free(data.cast());
        assert_eq!(reason(), "the handle is not that of a model");
        sinew_data_free(data);
        sinew_data_free(null_mut());
        sinew_model_free(one);
        sinew_model_free(two);
    }
}

#[test]
fn numbers_are_those_of_the_rust_library() {
    let m = sinew::load_str(ONE).unwrap();
    let mut d = sinew::Data::new(&m);
    sinew::reset_data_keyframe(&m, &mut d, 0);
    (0..100).for_each(|_| sinew::step(&m, &mut d));
    let model = loaded(ONE);
    // SAFETY: handles of the library, in use until they are freed below
    unsafe {
        let data = sinew_data_new(model);
        assert_eq!(sinew_reset_keyframe(model, data, 0), 0);
        assert_eq!(sinew_step(model, data, 60), 0);
        let copy = sinew_data_copy(data);
        assert_eq!(sinew_step(model, copy, 40), 0);
        let mut field = SinewField { data: null_mut(), rows: 0, cols: 0, kind: -1 };
        assert_eq!(sinew_data_field(copy, c"qpos".as_ptr(), &mut field), 0);
        assert_eq!((field.rows, field.cols, field.kind), (1, 1, 0));
        assert_eq!(*field.data.cast::<f64>(), d.qpos[0]);
        assert_eq!(sinew_size(model, c"nq".as_ptr()), 1);
        let name = CStr::from_ptr(sinew_id2name(model, c"joint".as_ptr(), 0));
        assert_eq!(name, c"j");
        let text = sinew_check(model);
        assert_eq!(*text, 0);
        sinew_string_free(text);
        sinew_data_free(data);
        sinew_data_free(copy);
        sinew_model_free(model);
    }
}

#[test]
fn freed_and_foreign_handles_are_errors() {
    let model = loaded(ONE);
    // SAFETY: handles of the library; the errors are found before any memory is used
    unsafe {
        let data = sinew_data_new(model);
        sinew_data_free(data);
        sinew_data_free(data);
        assert_eq!(reason(), "the data has been freed, or is no handle of this library");
        assert_eq!(sinew_step(model, data, 1), -1);
        assert_eq!(reason(), "the data has been freed, or is no handle of this library");

        // later objects have other handles
        let later = sinew_data_new(model);
        assert_ne!(later, data);
        assert!(sinew_time(data).is_nan());
        let foreign = core::ptr::without_provenance_mut(8);
        assert_eq!(sinew_step(model, foreign, 1), -1);
        sinew_data_free(later);
        sinew_model_free(model);
        assert!(sinew_data_new(model).is_null());
        assert_eq!(reason(), "the model has been freed, or is no handle of this library");
    }
}

/// Writes an integer to a field of a model or a state.
#[track_caller]
fn write(field: SinewField, index: usize, value: i32) {
    assert!(field.kind == 2 && index < field.rows * field.cols, "{field:?}");
    // SAFETY: the memory of a field of integers, and an index inside
    unsafe { *field.data.cast::<i32>().add(index) = value };
}

#[test]
fn integers_that_c_writes_are_validated() {
    let model = loaded(ONE);
    // SAFETY: handles of the library, in use until they are freed below
    unsafe {
        let data = sinew_data_new(model);
        let mut field = SinewField { data: null_mut(), rows: 0, cols: 0, kind: -1 };
        assert_eq!(sinew_model_field(model, c"geom_bodyid".as_ptr(), &mut field), 0);
        write(field, 0, 99);
        for _ in 0..2 {
            assert_eq!(sinew_step(model, data, 1), -1);
            let wanted = "invalid model: geom_bodyid[0] is 99, must be from 0 to 1";
            assert_eq!(reason(), wanted);
        }
        write(field, 0, 1);
        assert_eq!(sinew_step(model, data, 1), 0);
        assert_eq!(sinew_model_field(model, c"opt.solver".as_ptr(), &mut field), 0);
        write(field, 0, 7);
        assert_eq!(sinew_forward(model, data), -1);
        assert_eq!(reason(), "invalid model: opt.solver is 7, must be from 0 to 2");
        write(field, 0, 2);
        assert_eq!(sinew_forward(model, data), 0);
        sinew_data_free(data);
        sinew_model_free(model);
    }
}
