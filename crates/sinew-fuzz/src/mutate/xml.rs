//! Mutations of XML text.

use std::ops::Range;

use sinew_testkit::Random;

/// Values that have broken readers.
const VALUES: [&str; 34] = [
    "",
    " ",
    "0",
    "-1",
    "1",
    "2",
    "1e308",
    "-1e308",
    "1e-308",
    "nan",
    "NaN",
    "inf",
    "-inf",
    "2147483647",
    "2147483648",
    "-2147483649",
    "99999999999999999999",
    "1000000",
    "0.5",
    "true",
    "false",
    "auto",
    "main",
    "world",
    "0 0 0",
    "0 0 0 0",
    "1 0 0 0 0 0 0 0 0 0 0 0",
    "nan nan nan",
    "1e20 1e20 1e20",
    "mesh",
    "free",
    "../../..",
    "\u{fffd}",
    "é",
];

/// Small elements that are recursive, refer to others or are rare.
const ELEMENTS: [&str; 28] = [
    "<body/>",
    "<freejoint/>",
    "<geom size='.1'/>",
    "<include file='arm.xml'/>",
    "<include file='include.xml'/>",
    "<frame><frame><frame/></frame></frame>",
    "<attach model='finger' body='proximal' prefix='x'/>",
    "<inertial mass='1' pos='0 0 0' diaginertia='1 1 1'/>",
    "<default class='main'/>",
    "<composite/>",
    "<composite type='cable' count='5 1 1' curve='s' size='1'><geom size='.01'/></composite>",
    // deformable bodies
    "<flexcomp name='f' type='grid' count='3 3 1' spacing='.1 .1 .1' radius='.01'/>",
    "<flexcomp name='g' type='box' count='3 3 3' spacing='.1 .1 .1' radius='.01' dim='3'><elasticity young='1e4' poisson='.3'/></flexcomp>",
    "<flexcomp name='h' type='ellipsoid' count='4 4 4' spacing='.1 .1 .1' dim='3' dof='trilinear'/>",
    "<flexcomp name='i' type='mesh' file='wedge.obj' dim='2'><edge equality='vert'/></flexcomp>",
    "<deformable><flex name='j' body='world' vertex='0 0 0 1 0 0 0 1 0' element='0 1 2' dim='2'/></deformable>",
    "<deformable><skin name='k' vertex='0 0 0 1 0 0 0 1 0' face='0 1 2'><bone body='world' bindpos='0 0 0' bindquat='1 0 0 0' vertid='0 1 2' vertweight='1 1 1'/></skin></deformable>",
    "<equality><flex flex='f'/></equality>",
    "<contact selfcollide='bvh' internal='true'/>",
    // plugins and distance fields
    "<extension><plugin plugin='mujoco.elasticity.cable'/></extension>",
    "<extension><plugin plugin='mujoco.sdf.torus'><instance name='t'><config key='radius1' value='.3'/></instance></plugin></extension>",
    "<plugin instance='t'/>",
    "<plugin plugin='mujoco.pid'><config key='kp' value='1e308'/></plugin>",
    "<geom type='sdf' mesh='torus'><plugin instance='t'/></geom>",
    // sleep
    "<option sleep_tolerance='1'><flag sleep='enable'/></option>",
    "<body sleep='init'><freejoint/><geom size='.1'/></body>",
    // delays
    "<sensor><clock nsample='5' interval='.001'/></sensor>",
    "<size nuser_geom='3' memory='1K'/>",
];

/// Elements with excessive counts; a few of them are as slow as all others together.
const BOMBS: [&str; 4] = [
    // every geom touches all others: more contacts than fit
    "<replicate count='100000'><geom size='1'/></replicate>",
    "<replicate count='300'><replicate count='300'><replicate count='300'><body/></replicate></replicate></replicate>",
    "<sensor><clock nsample='1000000' interval='.001'/></sensor>",
    "<size nuser_geom='1000000' memory='1K'/>",
];
/// Number of elements per excessive element.
const BOMB_ONCE_IN: usize = 2000;

/// Mutates a model's text; elements are taken from the text `donor`.
pub fn mutate(random: &mut Random, text: &str, donor: &str) -> String {
    let attributes = attributes(text);
    let elements = elements(text);
    if attributes.is_empty() || elements.is_empty() {
        return text.to_string();
    }
    let (name, value) = attributes[random.below(attributes.len())].clone();
    let element = elements[random.below(elements.len())].clone();
    match random.below(14) {
        // most mutants keep their structure, so that they reach the compiler
        0..=3 => replace(text, value, random.pick(&VALUES)),
        4 => {
            let number = change_number(random, &text[value.clone()]);
            replace(text, value, &number)
        }
        5 => replace(text, name.start..value.end + 1, ""),
        6 => {
            // an attribute of one element at another element
            let extra = format!(" {} ", &text[name.start..value.end + 1]);
            let at = attributes[random.below(attributes.len())].0.start;
            replace(text, at..at, &extra)
        }
        7 => replace(text, element, ""),
        8 => {
            let copy = text[element.clone()].to_string();
            replace(text, element.end..element.end, &copy)
        }
        9 if random.once_in(BOMB_ONCE_IN) => {
            replace(text, element.end..element.end, random.pick(&BOMBS))
        }
        9 => replace(text, element.end..element.end, random.pick(&ELEMENTS)),
        10 => {
            // an element moved elsewhere
            let copy = text[element].to_string();
            let at = elements[random.below(elements.len())].end;
            replace(text, at..at, &copy)
        }
        11 | 12 => {
            // an element of another model
            let others = self::elements(donor);
            let Some(from) = others.get(random.below(others.len())) else {
                return text.to_string();
            };
            replace(text, element.end..element.end, &donor[from.clone()])
        }
        _ => damage(random, text),
    }
}

/// Truncates the text or breaks a character.
fn damage(random: &mut Random, text: &str) -> String {
    let mut at = random.below(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    match random.below(4) {
        0 => text[..at].to_string(),
        1 => replace(text, at..at, "<"),
        2 => replace(text, at..at, "&amp;&#0;"),
        _ => replace(text, at..at, "\""),
    }
}

/// Replaces, removes or adds a number of a list.
fn change_number(random: &mut Random, value: &str) -> String {
    let mut words: Vec<&str> = value.split_whitespace().collect();
    let at = random.below(words.len());
    match random.below(4) {
        0 if !words.is_empty() => {
            words.remove(at);
        }
        1 => words.insert(at, "3"),
        _ if !words.is_empty() => words[at] = random.pick(&VALUES),
        _ => {}
    }
    words.join(" ")
}

fn replace(text: &str, range: Range<usize>, with: &str) -> String {
    let mut out = text.to_string();
    out.replace_range(range, with);
    out
}

/// Names and values (without quotes) of the attributes.
fn attributes(text: &str) -> Vec<(Range<usize>, Range<usize>)> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(at) = text[from..].find("=\"") {
        let value = from + at + 2;
        let Some(len) = text[value..].find('"') else { break };
        let mut start = from + at;
        while start > 0 && (bytes[start - 1].is_ascii_alphanumeric() || bytes[start - 1] == b'_') {
            start -= 1;
        }
        found.push((start..from + at, value..value + len));
        from = value + len + 1;
    }
    found
}

/// Ranges of elements: empty-element tags, and opening tags with their content.
fn elements(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut open = Vec::new();
    let mut from = 0;
    while let Some(at) = text[from..].find('<') {
        let start = from + at;
        let Some(len) = text[start..].find('>') else { break };
        let end = start + len + 1;
        let tag = &text[start..end];
        from = end;
        if tag.starts_with("<!") || tag.starts_with("<?") {
            continue;
        } else if tag.starts_with("</") {
            if let Some(begin) = open.pop() {
                found.push(begin..end);
            }
        } else if tag.ends_with("/>") {
            found.push(start..end);
        } else {
            open.push(start);
        }
    }
    found
}
