//! Sensors: their objects and the number of their outputs.

use crate::common::{model, rejected};
use sinew_model::enums::{DataType, ObjType, SensorType, Stage};

fn scene(sensors: &str) -> String {
    format!(
        "<mujoco><asset><mesh name='tet' vertex='0 0 0 1 0 0 0 1 0 0 0 1'/></asset><worldbody>\
         <geom name='floor' type='plane' size='1 1 1'/>\
         <body name='b'><joint name='j' range='-90 90'/><geom name='g' size='.1'/><site name='s'/>\
         <camera name='cam'/><camera name='wide' resolution='3 4'/>\
         <body name='e' pos='0 0 1'><joint name='ball' type='ball'/><geom name='gg' size='.1'/>\
         </body></body>\
         <body name='c'><joint name='k'/><geom name='h' size='.1'/><site name='t'/></body>\
         </worldbody>\
         <tendon><fixed name='f' range='0 1'><joint joint='j' coef='1'/></fixed>\
         <fixed name='free'><joint joint='k' coef='1'/></fixed></tendon>\
         <actuator><motor name='m' joint='j'/></actuator><sensor>{sensors}</sensor></mujoco>"
    )
}

#[track_caller]
fn check(sensor: &str, dim: i32, datatype: DataType, stage: Stage) {
    let m = model(&scene(sensor));
    let got = (m.sensor_dim[0], m.sensor_datatype[0], m.sensor_needstage[0]);
    assert_eq!(got, (dim, datatype, stage), "{sensor}");
    assert_eq!(m.nsensordata, dim as usize);
}

#[test]
fn every_kind_has_its_dimension_data_and_stage() {
    use DataType as D;
    use Stage as S;
    check("<touch site='s'/>", 1, D::Positive, S::Acc);
    check("<accelerometer site='s'/>", 3, D::Real, S::Acc);
    check("<velocimeter site='s'/>", 3, D::Real, S::Vel);
    check("<gyro site='s'/>", 3, D::Real, S::Vel);
    check("<force site='s'/>", 3, D::Real, S::Acc);
    check("<torque site='s'/>", 3, D::Real, S::Acc);
    check("<magnetometer site='s'/>", 3, D::Real, S::Pos);
    check("<camprojection site='s' camera='wide'/>", 2, D::Real, S::Pos);
    check("<rangefinder site='s'/>", 1, D::Real, S::Pos);
    check("<rangefinder camera='wide' data='dist normal'/>", 48, D::Real, S::Pos);
    check("<jointpos joint='j'/>", 1, D::Real, S::Pos);
    check("<jointvel joint='j'/>", 1, D::Real, S::Vel);
    check("<jointactuatorfrc joint='j'/>", 1, D::Real, S::Acc);
    check("<tendonpos tendon='f'/>", 1, D::Real, S::Pos);
    check("<tendonvel tendon='f'/>", 1, D::Real, S::Vel);
    check("<tendonactuatorfrc tendon='f'/>", 1, D::Real, S::Acc);
    check("<actuatorpos actuator='m'/>", 1, D::Real, S::Pos);
    check("<actuatorvel actuator='m'/>", 1, D::Real, S::Vel);
    check("<actuatorfrc actuator='m'/>", 1, D::Real, S::Acc);
    check("<ballquat joint='ball'/>", 4, D::Quaternion, S::Pos);
    check("<ballangvel joint='ball'/>", 3, D::Real, S::Vel);
    check("<jointlimitpos joint='j'/>", 1, D::Real, S::Pos);
    check("<jointlimitvel joint='j'/>", 1, D::Real, S::Vel);
    check("<jointlimitfrc joint='j'/>", 1, D::Real, S::Acc);
    check("<tendonlimitpos tendon='f'/>", 1, D::Real, S::Pos);
    check("<tendonlimitvel tendon='f'/>", 1, D::Real, S::Vel);
    check("<tendonlimitfrc tendon='f'/>", 1, D::Real, S::Acc);
    check("<framepos objtype='xbody' objname='b'/>", 3, D::Real, S::Pos);
    check("<framequat objtype='geom' objname='g'/>", 4, D::Quaternion, S::Pos);
    check("<framexaxis objtype='site' objname='s'/>", 3, D::Axis, S::Pos);
    check("<frameyaxis objtype='site' objname='s'/>", 3, D::Axis, S::Pos);
    check("<framezaxis objtype='site' objname='s'/>", 3, D::Axis, S::Pos);
    check("<framelinvel objtype='camera' objname='cam'/>", 3, D::Real, S::Vel);
    check("<frameangvel objtype='body' objname='b'/>", 3, D::Real, S::Vel);
    check("<framelinacc objtype='body' objname='b'/>", 3, D::Real, S::Acc);
    check("<frameangacc objtype='body' objname='b'/>", 3, D::Real, S::Acc);
    check("<subtreecom body='b'/>", 3, D::Real, S::Pos);
    check("<subtreelinvel body='b'/>", 3, D::Real, S::Vel);
    check("<subtreeangmom body='b'/>", 3, D::Real, S::Vel);
    check("<insidesite site='s' objtype='body' objname='c'/>", 1, D::Positive, S::Pos);
    check("<distance geom1='g' body2='c'/>", 1, D::Real, S::Pos);
    check("<normal geom1='g' geom2='gg' cutoff='1'/>", 3, D::Axis, S::Pos);
    check("<fromto geom1='g' geom2='gg'/>", 6, D::Real, S::Pos);
    check("<contact data='found force pos' num='3' reduce='mindist'/>", 21, D::Real, S::Acc);
    check("<e_potential/>", 1, D::Real, S::Pos);
    check("<e_kinetic/>", 1, D::Real, S::Pos);
    check("<clock/>", 1, D::Real, S::Pos);
    check("<tactile geom='g' mesh='tet'/>", 12, D::Real, S::Acc);
    check("<user dim='5'/>", 5, D::Real, S::Acc);
    check("<user dim='3' datatype='axis' needstage='vel'/>", 3, D::Axis, S::Vel);
}

#[test]
fn sensors_find_their_objects_and_references() {
    let m = model(&scene(
        "<framepos objtype='body' objname='c' reftype='site' refname='t'/>\
         <contact site='s' body2='c'/><contact subtree1='b' geom2='h'/><contact/>\
         <user dim='1' objtype='joint' objname='k'/><user dim='1' objtype='zz' objname='a'/>",
    ));
    let (body, xbody, none) = (ObjType::Body, ObjType::Xbody, ObjType::Unknown);
    let objtype = [body, ObjType::Site, xbody, none, ObjType::Joint, none];
    assert_eq!(*m.sensor_objtype, objtype);
    assert_eq!(*m.sensor_objid, [3, 0, 1, -1, 2, -1]);
    assert_eq!(*m.sensor_reftype, [ObjType::Site, body, ObjType::Geom, none, none, none]);
    assert_eq!(*m.sensor_refid, [1, 3, 3, -1, -1, -1]);
}

#[test]
fn contact_sensors_and_rangefinders_pack_their_data_into_integers() {
    let m = model(&scene(
        "<contact data='dist tangent' num='2' reduce='netforce'/><contact/>\
         <rangefinder site='s' data='dir depth'/>",
    ));
    assert_eq!(*m.sensor_intprm, [[72, 3, 2], [1, 0, 1], [34, 0, 0]]);
    assert_eq!(*m.sensor_adr, [0, 8, 9]);
}

#[test]
fn histories_follow_those_of_actuators() {
    let m = model(
        "<mujoco><worldbody><body><joint name='j'/><geom size='.1'/><site name='s'/></body>\
         </worldbody>\
         <actuator><motor joint='j' nsample='2'/></actuator>\
         <sensor><gyro site='s' nsample='5' delay='.1' interp='linear' interval='.2 -.1'/>\
         <clock/><clock nsample='1'/></sensor></mujoco>",
    );
    assert_eq!(*m.sensor_history, [[5, 1], [0, 0], [1, 0]]);
    assert_eq!(*m.sensor_historyadr, [6, -1, 28]);
    assert_eq!((m.sensor_interval[0], m.sensor_delay[0], m.nhistory), ([0.2, -0.1], 0.1, 32));
}

#[test]
fn user_data_is_padded() {
    let m = model(&scene("<clock user='1 2 3'/><clock/><clock user='4'/>"));
    assert_eq!(
        (m.nuser_sensor, m.sensor_user.flat()),
        (3, &[1., 2., 3., 0., 0., 0., 4., 0., 0.][..])
    );
    assert_eq!(m.sensor_type[0], SensorType::Clock);
}

#[test]
fn wrong_attributes_are_rejected_in_mujocos_words() {
    let check = |sensor: &str, text| rejected(&scene(sensor), text);
    check("<touch/>", "required attribute missing: 'site'");
    check("<framepos objtype='body' objname='b' reftype='body'/>", "attribute missing: 'refname'");
    check("<framepos objtype='body' objname='b' refname='r'/>", "'r' given but reftype is missing");
    check("<rangefinder site='s' camera='wide'/>", "requires exactly one of 'site' or 'camera'");
    check("<rangefinder site='s' data='point dist'/>", "must be in order: dist, dir, origin");
    check("<rangefinder site='s' data='dist dist'/>", "duplicate keyword");
    check("<contact data='force foo'/>", "invalid keyword");
    check("<contact data='force found'/>", "must be in order: found, force, torque, dist");
    check("<contact geom1='g' body1='b'/>", "at most one of (geom1, body1, subtree1, site)");
    check("<contact geom2='g' body2='b'/>", "at most one of (geom2, body2, subtree2)");
    check("<contact num='0'/>", "'num' must be positive in sensor");
    check("<distance geom1='g' body1='b' geom2='gg'/>", "exactly one of (geom1, body1)");
    check("<distance geom1='g'/>", "exactly one of (geom2, body2) must be specified");
    check("<user/>", "required attribute missing: 'dim'");
    check("<user dim='1' objtype='site'/>", "objtype 'site' given but objname is missing");
    check("<user dim='1' objname='x'/>", "objname 'x' given but objtype is missing");
}

#[test]
fn wrong_objects_are_rejected_in_mujocos_words() {
    let check = |sensor: &str, text| rejected(&scene(sensor), text);
    check("<touch site='zz'/>", "unrecognized name 'zz' of sensorized object");
    check("<touch site=''/>", "missing name of sensorized object in sensor");
    check("<framepos objtype='zz' objname='b'/>", "invalid type in sensor");
    let frame = "sensor must be attached to (x)body, geom, site or camera";
    check("<framepos objtype='joint' objname='j'/>", frame);
    check("<insidesite site='s' objtype='joint' objname='j'/>", frame);
    check(
        "<framepos objtype='body' objname='b' reftype='joint' refname='j'/>",
        "reference frame object must be (x)body, geom, site or camera in sensor",
    );
    check("<insidesite site='zz' objtype='body' objname='b'/>", "unrecognized name 'zz' of object");
    check("<jointpos joint='ball'/>", "joint must be slide or hinge in sensor");
    check("<ballquat joint='j'/>", "joint must be ball in sensor");
    check("<jointlimitpos joint='k'/>", "joint must be limited in sensor");
    check("<tendonlimitpos tendon='free'/>", "tendon must be limited in sensor");
    check("<distance geom1='g' geom2='g'/>", "1st body/geom must be different from 2nd body/geom");
    check("<tactile geom='g' mesh='zz'/>", "unrecognized name 'zz' of sensorized object");
}

#[test]
fn wrong_numbers_are_rejected_in_mujocos_words() {
    let check = |attr: &str, text| rejected(&scene(&format!("<touch site='s' {attr}/>")), text);
    check("noise='-1'", "negative noise in sensor");
    check("cutoff='-1'", "negative cutoff in sensor");
    check("interval='-1'", "negative interval in sensor");
    check("interval='1 1'", "positive phase in sensor");
    check("interval='1 -2'", "phase must be greater than -period in sensor");
    check("delay='1'", "setting delay > 0 without a history buffer");
    check("nsample='20000000'", "at most 2^24 samples in sensor history buffer, got 20000000");
    let check = |sensor: &str, text| rejected(&scene(sensor), text);
    check("<user dim='-1'/>", "sensor dim must be non-negative in sensor");
    check("<user dim='2' datatype='axis'/>", "datatype AXIS requires dim=3 in sensor");
    check("<user dim='2' datatype='quaternion'/>", "datatype QUATERNION requires dim=4 in sensor");
    let cutoff = "cutoff applied to axis or quaternion datatype in sensor";
    check("<framequat objtype='body' objname='b' cutoff='1'/>", cutoff);
    check("<user dim='2147483647'/>", "sensors have more than");
}
