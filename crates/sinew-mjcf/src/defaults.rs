//! Default classes: every class merged with its parents once, elements laid over them.

use sinew_model::enums::TextureRole;

use crate::spec::{
    Actuator, Camera, ClassId, DefaultClass, Equality, Geom, Head, Joint, Layer, Light, Material,
    Mesh, Pair, Sensor, Site, Spec, Tendon,
};

/// The default classes of a model, each with all it inherits.
#[derive(Clone, Debug, Default)]
pub(crate) struct Defaults {
    classes: Vec<DefaultClass>,
    /// Whether elements already have the values of their classes.
    complete: bool,
}

macro_rules! resolve {
    ($($(#[$meta:meta])* $f:ident: $ty:ty;)*) => {
        impl Defaults {
            $($(#[$meta])* pub(crate) fn $f(&self, element: &$ty) -> $ty {
                match self.class(&element.head) {
                    Some(class) => element.on(&class.$f),
                    None => element.clone(),
                }
            })*
        }
    };
}

resolve! {
    /// A mesh with the values of its class.
    mesh: Mesh;
    /// A material with the values of its class.
    material: Material;
    /// A geom with the values of its class.
    geom: Geom;
    /// A site with the values of its class.
    site: Site;
    /// A light with the values of its class.
    light: Light;
    /// A contact pair with the values of its class.
    pair: Pair;
    /// An equality with the values of its class.
    equality: Equality;
    /// A tendon with the values of its class.
    tendon: Tendon;
    /// A sensor with the values of the defaults (an extension).
    sensor: Sensor;
}

impl Defaults {
    /// A joint with the values of its class.
    pub(crate) fn joint(&self, joint: &Joint) -> Joint {
        match self.class(&joint.head) {
            Some(class) if !joint.unclassed => joint.on(&class.joint),
            _ => joint.clone(),
        }
    }

    /// A camera with the values of its class; user data is not inherited.
    pub(crate) fn camera(&self, camera: &Camera) -> Camera {
        let Some(class) = self.class(&camera.head) else { return camera.clone() };
        Camera { user: camera.user.clone(), ..camera.on(&class.camera) }
    }

    /// Merges every class with its parents.
    pub(crate) fn new(spec: &Spec) -> Self {
        if spec.complete {
            return Defaults { classes: spec.defaults.clone(), complete: true };
        }
        let mut classes: Vec<DefaultClass> = Vec::with_capacity(spec.defaults.len());
        for own in &spec.defaults {
            let merged = match own.parent.and_then(|p| classes.get(p.0)) {
                Some(parent) => merge(own, parent),
                None => own.clone(),
            };
            classes.push(merged);
        }
        Defaults { classes, complete: false }
    }

    /// All classes, each with its inherited values.
    pub(crate) fn classes(&self) -> &[DefaultClass] {
        &self.classes
    }

    /// The class of an element, with all it inherits; none if no defaults apply to it.
    pub(crate) fn class(&self, head: &Head) -> Option<&DefaultClass> {
        let class = head.class.filter(|_| !self.complete);
        class.and_then(|ClassId(i)| self.classes.get(i))
    }

    /// The records of an actuator's classes, from the root to its own class and in document order.
    /// Each is to be applied on top of the records before it.
    pub(crate) fn actuators(&self, head: &Head) -> &[Actuator] {
        self.class(head).map_or(&[], |class| &class.actuators)
    }
}

/// Makes classes independent of later changes to `main`, by writing out their inherited values.
pub(crate) fn detach_from_main(classes: &mut [DefaultClass]) {
    let Some((main, rest)) = classes.split_first_mut() else { return };
    for class in rest {
        if class.parent == Some(ClassId(0)) {
            *class = merge(class, main);
            class.parent = None;
        }
    }
}

/// A class with its inherited values.
fn merge(own: &DefaultClass, parent: &DefaultClass) -> DefaultClass {
    DefaultClass {
        name: own.name.clone(),
        span: own.span,
        parent: own.parent,
        mesh: own.mesh.on(&parent.mesh),
        material: own.material.on(&parent.material),
        joint: own.joint.on(&parent.joint),
        geom: own.geom.on(&parent.geom),
        site: own.site.on(&parent.site),
        camera: own.camera.on(&parent.camera),
        light: own.light.on(&parent.light),
        pair: own.pair.on(&parent.pair),
        equality: own.equality.on(&parent.equality),
        tendon: own.tendon.on(&parent.tendon),
        actuators: parent.actuators.iter().chain(&own.actuators).cloned().collect(),
        sensor: own.sensor.on(&parent.sensor),
    }
}

/// Lays an element over a class's element, with the parts that are not plain attributes.
pub(crate) trait On: Sized {
    /// `self` where it says something, else `base`.
    fn on(&self, base: &Self) -> Self;
}

macro_rules! on {
    ($($ty:ty),* ; $($alt:ty),*) => {
        $(impl On for $ty {
            fn on(&self, base: &Self) -> Self {
                self.over(base)
            }
        })*
        $(impl On for $alt {
            fn on(&self, base: &Self) -> Self {
                let mut out = self.over(base);
                if !out.alt.is_set() {
                    out.alt = base.alt.clone();
                }
                out
            }
        })*
    };
}
on! { Mesh, Joint, Light, Pair, Equality, Tendon, Sensor; Geom, Site, Camera }

impl On for Material {
    fn on(&self, base: &Self) -> Self {
        let mut out = self.over(base);
        if self.texture.is_set() {
            // the texture has the role of colour
            let other = |l: &&Layer| l.role.get() != Some(&TextureRole::Rgb);
            out.layers = base.layers.iter().filter(other).cloned().collect();
        } else if self.layers.is_empty() {
            out.layers = base.layers.clone();
        } else if base.texture.is_set() || !base.layers.is_empty() {
            let colour = Layer { texture: base.texture.clone(), ..Layer::default() };
            let mut layers = Vec::new();
            if base.texture.is_set() {
                layers.push(colour);
                layers[0].role.set(TextureRole::Rgb);
            }
            layers.extend(base.layers.iter().cloned());
            layers.retain(|l| !self.layers.iter().any(|own| own.role.get() == l.role.get()));
            layers.extend(self.layers.iter().cloned());
            out.texture.clear();
            out.layers = layers;
        }
        out
    }
}
