//! Equality constraints: objects and numbers.

use crate::common::{close, model, rejected};
use sinew_model::enums::ObjType;

fn eq(equalities: &str) -> String {
    format!(
        "<mujoco><worldbody><body name='b'><joint name='j'/><geom size='.1'/><site name='s'/>\
         </body>\
         <body name='c'><joint name='k'/><geom size='.1'/><site name='t'/>\
         <body pos='0 0 1'><joint name='ball' type='ball'/><geom size='.1'/></body></body>\
         </worldbody>\
         <tendon><fixed name='f1'><joint joint='j' coef='1'/></fixed>\
         <fixed name='f2'><joint joint='k' coef='2'/></fixed></tendon>\
         <equality>{equalities}</equality></mujoco>"
    )
}

#[test]
fn each_kind_stores_its_numbers() {
    let m = model(&eq("<joint joint1='j' joint2='k' polycoef='1 2'/><joint joint1='j'/>\
         <tendon tendon1='f1'/><connect body1='b' anchor='1 2 3'/><connect site1='s' site2='t'/>\
         <weld site1='s' site2='t'/><weld body1='b'/>\
         <weld body1='b' relpose='1 2 3 2 0 0 0' anchor='1 1 1' torquescale='3'/>\
         <weld body1='b' relpose='0 1 0 0 0 0 0'/>"));
    let want = [
        [1., 2., 0., 0., 0., 0., 0., 0., 0., 0., 1.],
        [0., 1., 0., 0., 0., 0., 0., 0., 0., 0., 1.],
        [0., 1., 0., 0., 0., 0., 0., 0., 0., 0., 1.],
        [1., 2., 3., 1., 2., 3., 0., 0., 0., 0., 1.],
        [0., 0., 0., 0., 0., 0., 0., 0., 0., 0., 0.],
        [0., 1., 0., 0., 0., 0., 0., 0., 0., 0., 1.],
        [0., 0., 0., 0., 0., 0., 1., 0., 0., 0., 1.],
        [1., 1., 1., 1., 2., 3., 1., 0., 0., 0., 3.],
        [0., 0., 0., 0., 0., 0., 1., 0., 0., 0., 1.],
    ];
    for (row, want) in m.eq_data.iter().zip(want) {
        close(row, &want, 1e-15);
    }
    let (body, site, none) = (ObjType::Body, ObjType::Site, ObjType::Unknown);
    assert_eq!(*m.eq_objtype, [none, none, none, body, site, site, body, body, body]);
    assert_eq!(*m.eq_obj1id, [0, 0, 0, 1, 0, 0, 1, 1, 1]);
    assert_eq!(*m.eq_obj2id, [1, -1, -1, 0, 1, 1, 0, 0, 0]);
}

#[test]
fn tendon_equality_takes_at_most_five_coefficients() {
    let m = model(&eq("<tendon tendon1='f1' tendon2='f2' polycoef='.1 .5 .2 .3 .4'/>"));
    assert_eq!(m.eq_data[0][..5], [0.1, 0.5, 0.2, 0.3, 0.4]);
    let six = "<tendon tendon1='f1' polycoef='1 2 3 4 5 6'/>";
    rejected(&eq(six), "attribute 'polycoef' has too much data");
}

#[test]
fn activity_and_softness_are_stored() {
    let m = model(&eq("<joint joint1='j' active='false' solref='.1' solimp='.5 .6'/>"));
    assert!(!m.eq_active0[0].get());
    assert_eq!((m.eq_solref[0], m.eq_solimp[0]), ([0.1, 1.0], [0.5, 0.6, 0.001, 0.5, 2.0]));
}

#[test]
fn wrong_attributes_are_rejected_in_mujocos_words() {
    let check = |e: &str, text| rejected(&eq(e), text);
    let mixed = "body and site semantics cannot be mixed";
    check("<connect body1='b' site1='s' anchor='1 1 1'/>", mixed);
    check("<weld site1='s' site2='t' anchor='1 1 1'/>", mixed);
    check("<connect body1='b'/>", "either both body1 and anchor must be defined");
    check("<connect site1='s'/>", "or both site1 and site2 must be defined");
    check("<weld site1='s'/>", "either body1 must be defined and optionally");
    check("<weld/>", "either body1 must be defined and optionally");
    check("<joint joint2='j'/>", "required attribute missing: 'joint1'");
    check("<tendon tendon2='f1'/>", "required attribute missing: 'tendon1'");
}

#[test]
fn wrong_objects_are_rejected_in_mujocos_words() {
    let check = |e: &str, text| rejected(&eq(e), text);
    check("<weld body1='zz'/>", "unknown element 'zz' in equality constraint");
    check("<tendon tendon1='zz'/>", "unknown element 'zz' in equality constraint");
    check("<weld body1='b' body2='zz'/>", "unknown element 'zz' in equality constraint 0");
    check("<weld body1='b' body2='b'/>", "element 'b' is repeated in equality constraint 0");
    check("<weld body1='world'/>", "element 'world' is repeated in equality constraint 0");
    let scalar = "only HINGE and SLIDE joint allowed in constraint";
    check("<joint joint1='ball'/>", scalar);
    check("<joint joint1='j' joint2='ball'/>", scalar);
}
