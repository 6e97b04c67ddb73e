//! `<compiler>`, `<option>`, `<size>`, `<visual>`, `<statistic>`: later attributes win.

use super::Reader;
use crate::spec::{
    Compiler, Coordinate, FlagElement, GlobalElement, HeadlightElement, LengthRange, MapElement,
    OptionElement, QualityElement, RgbaElement, ScaleElement, SizeElement, StatisticElement,
    memory_bytes,
};
use crate::xml::Node;

impl<'t> Reader<'_, 't> {
    pub(super) fn compiler(&mut self, node: Node<'t>) {
        let mut own = Compiler::read(&mut self.source(node));
        if own.coordinate.get() == Some(&Coordinate::Global) {
            let words = "global coordinates no longer supported. To convert existing models, \
                         load and save them in MuJoCo 2.3.3 or older";
            self.error(node, "coordinate", words);
        }
        if own.eulerseq.get().is_some_and(|s| s.len() != 3) {
            self.error(node, "eulerseq", "euler format must have length 3");
        }
        // assetdir stands for the other two, which take precedence
        for dir in [&mut own.meshdir, &mut own.texturedir] {
            if !dir.is_set() {
                *dir = own.assetdir.clone();
            }
        }
        for lengthrange in node.named("lengthrange") {
            own.lengthrange = LengthRange::read(&mut self.source(lengthrange));
        }

        let merged = &mut self.spec.scopes[0].compiler;
        let lengthrange = own.lengthrange.over(&merged.lengthrange);
        *merged = own.over(merged);
        merged.lengthrange = lengthrange;
    }

    pub(super) fn option(&mut self, node: Node<'t>) {
        let mut own = OptionElement::read(&mut self.source(node));
        let groups = own.actuatorgroupdisable.or(Vec::new());
        if groups.len() > 31 {
            let words = "attribute 'actuatorgroupdisable' has too much data: wanted at most 31";
            self.error(node, "wrong-count", words);
        }
        if groups.iter().any(|g| *g < 0) {
            let words = "disabled actuator group value must be non-negative";
            self.error(node, "actuatorgroupdisable", words);
        }
        if groups.iter().any(|g| *g > 30) {
            let words = "disabled actuator group value cannot exceed 30";
            self.error(node, "actuatorgroupdisable", words);
        }
        for flag in node.named("flag") {
            own.flag = FlagElement::read(&mut self.source(flag));
        }

        // groups add up
        let merged = &mut self.spec.option;
        if let (Some(new), Some(old)) =
            (own.actuatorgroupdisable.get_mut(), merged.actuatorgroupdisable.get())
        {
            new.extend(old);
        }
        let flag = own.flag.over(&merged.flag);
        *merged = own.over(merged);
        merged.flag = flag;
    }

    pub(super) fn size(&mut self, node: Node<'t>) {
        let own = SizeElement::read(&mut self.source(node));

        // memory, which excludes the older ways to give it
        let blank = own.memory.get().is_some_and(|text| text.trim_ascii().is_empty());
        if blank || memory_bytes(own.memory.text()).is_err() {
            let words = "unsigned integer with an optional suffix {K,M,G,T,P,E} is expected in \
                         attribute 'memory' (or the size specified is too big)";
            self.error(node, "memory", words);
        }
        self.spec.size = own.over(&self.spec.size);
        let merged = self.spec.size.clone();
        let memory = memory_bytes(merged.memory.text()).ok().flatten();
        for (name, value) in [("nstack", &own.nstack), ("njmax", &own.njmax)] {
            if memory.is_some() && value.get().is_some_and(|n| *n != -1) {
                let words =
                    format!("either 'memory' and '{name}' attribute can be specified, not both");
                self.error(node, "memory", words);
            }
        }

        // counts of -1 are left to the compiler
        let sizes = [
            ("nconmax", &own.nconmax),
            ("nuser_body", &own.nuser_body),
            ("nuser_jnt", &own.nuser_jnt),
            ("nuser_geom", &own.nuser_geom),
            ("nuser_site", &own.nuser_site),
            ("nuser_cam", &own.nuser_cam),
            ("nuser_tendon", &own.nuser_tendon),
            ("nuser_actuator", &own.nuser_actuator),
            ("nuser_sensor", &own.nuser_sensor),
        ];
        for (name, value) in sizes {
            if value.get().is_some_and(|n| *n < -1) {
                self.error(node, "size", format!("{name} must be >= -1"));
            }
        }
    }

    pub(super) fn statistic(&mut self, node: Node<'t>) {
        let own = StatisticElement::read(&mut self.source(node));
        if own.extent.get().is_some_and(|x| *x <= 0.0) {
            self.error(node, "extent", "extent must be strictly positive");
        }
        self.spec.statistic = own.over(&self.spec.statistic);
    }

    pub(super) fn visual(&mut self, node: Node<'t>) {
        for part in node.children() {
            let source = &mut self.source(part);

            // each part lies over the values of earlier blocks
            match part.name() {
                "global" => {
                    let own = GlobalElement::read(source);
                    if own.realtime.get().is_some_and(|x| *x <= 0.0) {
                        self.error(part, "realtime", "realtime must be greater than 0");
                    }
                    self.spec.visual.global = own.over(&self.spec.visual.global);
                }
                "quality" => {
                    let own = QualityElement::read(source);
                    self.spec.visual.quality = own.over(&self.spec.visual.quality);
                }
                "headlight" => {
                    let own = HeadlightElement::read(source);
                    self.spec.visual.headlight = own.over(&self.spec.visual.headlight);
                }
                "map" => {
                    let own = MapElement::read(source);
                    if own.znear.get().is_some_and(|x| *x <= 0.0) {
                        self.error(part, "znear", "znear must be strictly positive");
                    }
                    self.spec.visual.map = own.over(&self.spec.visual.map);
                }
                "scale" => {
                    let own = ScaleElement::read(source);
                    self.spec.visual.scale = own.over(&self.spec.visual.scale);
                }
                "rgba" => {
                    let own = RgbaElement::read(source);
                    self.spec.visual.rgba = own.over(&self.spec.visual.rgba);
                }
                _ => {}
            }
        }
    }
}
