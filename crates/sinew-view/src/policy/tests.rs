//! Networks written byte by byte, good and hostile.

use super::*;

/// A field of a message: its number and bytes.
fn bytes(number: u64, content: &[u8]) -> Vec<u8> {
    [varint(number << 3 | 2), varint(content.len() as u64), content.to_vec()].concat()
}

fn number(number: u64, value: u64) -> Vec<u8> {
    [varint(number << 3), varint(value)].concat()
}

fn varint(mut value: u64) -> Vec<u8> {
    let mut out = Vec::new();
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
    out
}

/// A `TensorProto` of doubles, or of integers (kind 7).
fn tensor(name: &str, kind: u64, shape: &[u64], values: &[f64]) -> Vec<u8> {
    let raw: Vec<u8> = match kind {
        7 => values.iter().flat_map(|&x| (x as i64).to_le_bytes()).collect(),
        1 => values.iter().flat_map(|&x| (x as f32).to_le_bytes()).collect(),
        _ => values.iter().flat_map(|&x| x.to_le_bytes()).collect(),
    };
    let dims: Vec<u8> = shape.iter().flat_map(|&n| number(1, n)).collect();
    [dims, number(2, kind), bytes(8, name.as_bytes()), bytes(9, &raw)].concat()
}

/// An input or output of doubles.
fn value(name: &str, shape: &[u64]) -> Vec<u8> {
    let dims: Vec<u8> = shape.iter().flat_map(|&n| bytes(1, &number(1, n))).collect();
    let tensor = [number(1, 11), bytes(2, &dims)].concat();
    [bytes(1, name.as_bytes()), bytes(2, &bytes(1, &tensor))].concat()
}

fn node(operator: &str, inputs: &[&str], output: &str, attributes: &[u8]) -> Vec<u8> {
    let inputs: Vec<u8> = inputs.iter().flat_map(|name| bytes(1, name.as_bytes())).collect();
    let operator = bytes(4, operator.as_bytes());
    bytes(1, &[inputs, bytes(2, output.as_bytes()), operator, attributes.to_vec()].concat())
}

fn int(name: &str, value: i64) -> Vec<u8> {
    bytes(5, &[bytes(1, name.as_bytes()), number(3, value as u64)].concat())
}

fn model(graph: &[Vec<u8>], metadata: &[(&str, &str)]) -> Vec<u8> {
    let pair = |&(key, text): &(&str, &str)| {
        bytes(14, &[bytes(1, key.as_bytes()), bytes(2, text.as_bytes())].concat())
    };
    [bytes(7, &graph.concat()), metadata.iter().flat_map(pair).collect()].concat()
}

/// Weights, inputs and outputs of a graph.
fn weight(tensor: Vec<u8>) -> Vec<u8> {
    bytes(5, &tensor)
}

fn input(name: &str, shape: &[u64]) -> Vec<u8> {
    bytes(11, &value(name, shape))
}

fn output(name: &str) -> Vec<u8> {
    bytes(12, &value(name, &[1, 1]))
}

/// A cart that is pushed to the commanded place: `ctrl = 3 (command - qpos) - 2 qvel`.
fn cart() -> Vec<u8> {
    model(
        &[
            input("qpos", &[1, 1]),
            input("qvel", &[1, 1]),
            input("command", &[1, 1]),
            weight(tensor("three", 11, &[1, 1], &[3.0])),
            weight(tensor("two", 11, &[], &[2.0])),
            node("Sub", &["command", "qpos"], "miss", &[]),
            node("Gemm", &["miss", "three"], "pull", &[]),
            node("Mul", &["qvel", "two"], "brake", &[]),
            node("Sub", &["pull", "brake"], "ctrl", &[]),
            output("ctrl"),
        ],
        &[("sinew.period", "0.02"), ("sinew.commands", r#"[["place", -1.0, 1.0]]"#)],
    )
}

fn slide() -> Model {
    let xml = "<mujoco><option timestep='.01'/><worldbody><body><joint name='x' type='slide' \
               axis='1 0 0'/><geom size='.1' mass='1'/></body></worldbody>\
               <actuator><motor joint='x'/></actuator></mujoco>";
    sinew_mjcf::load_str(xml, &Default::default(), &Default::default()).unwrap().model
}

/// The output of a graph without inputs, and its shape.
fn evaluate(parts: &[Vec<u8>]) -> Result<(Vec<usize>, Vec<f64>), String> {
    let graph = Graph::read(&model(&[parts.concat(), output("y")], &[]))?;
    let result = graph.run(HashMap::new())?.remove(0);
    Ok((result.shape, result.values))
}

#[test]
fn a_policy_follows_its_command() {
    let m = slide();
    let mut d = Data::new(&m);
    let policy = Policy::read(&cart()).unwrap();
    assert_eq!(policy.commands(), [Command { name: "place".into(), range: [-1.0, 1.0] }]);
    let mut driver = Driver::new(policy, &m, &d).unwrap();
    let mut widgets = driver.add_sliders();
    let place = widgets.add_button("other") - 1;
    widgets.set_number(place, 0.5);
    driver.listen(&widgets);

    // a decision every other step
    let mut decisions = 0;
    for _ in 0..1000 {
        let before = d.ctrl[0];
        driver.drive(&m, &mut d);
        decisions += i32::from(d.ctrl[0] != before);
        sinew_engine::step(&m, &mut d);
    }
    assert!((d.qpos[0] - 0.5).abs() < 1e-3, "{}", d.qpos[0]);
    assert!((450..=501).contains(&decisions), "{decisions}");

    // after a reset it begins again
    sinew_engine::reset_data(&m, &mut d);
    driver.drive(&m, &mut d);
    assert!((d.ctrl[0] - 1.5).abs() < 1e-12);
}

#[test]
fn operators_compute_what_onnx_says() {
    let a = || weight(tensor("a", 11, &[2, 3], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]));
    let list = |name: &str, values: &[f64]| weight(tensor(name, 7, &[values.len() as u64], values));
    type Nodes = Vec<Vec<u8>>;
    let cases: Vec<(Nodes, &[usize], &[f64])> = vec![
        (
            vec![
                a(),
                list("s", &[1.0]),
                list("e", &[9.0]),
                node("Slice", &["a", "s", "e", "s"], "y", &[]),
            ],
            &[2, 2],
            &[2.0, 3.0, 5.0, 6.0],
        ),
        (
            vec![
                a(),
                list("s", &[-1.0]),
                list("e", &[-9.0]),
                list("x", &[1.0]),
                node("Slice", &["a", "s", "e", "x", "s"], "y", &[]),
            ],
            &[2, 3],
            &[3.0, 2.0, 1.0, 6.0, 5.0, 4.0],
        ),
        (vec![a(), node("Transpose", &["a"], "y", &[])], &[3, 2], &[1.0, 4.0, 2.0, 5.0, 3.0, 6.0]),
        (
            vec![a(), list("r", &[3.0, -1.0]), node("Reshape", &["a", "r"], "y", &[])],
            &[3, 2],
            &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0],
        ),
        (
            vec![
                a(),
                weight(tensor("i", 7, &[], &[-1.0])),
                node("Gather", &["a", "i"], "y", &int("axis", 1)),
            ],
            &[2],
            &[3.0, 6.0],
        ),
        (
            vec![a(), node("Concat", &["a", "a"], "y", &int("axis", -1))],
            &[2, 6],
            &[1.0, 2.0, 3.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 4.0, 5.0, 6.0],
        ),
        (
            vec![
                a(),
                weight(tensor("b", 11, &[3], &[10.0, 20.0, 30.0])),
                node("Add", &["a", "b"], "y", &[]),
            ],
            &[2, 3],
            &[11.0, 22.0, 33.0, 14.0, 25.0, 36.0],
        ),
        (
            vec![
                a(),
                node("Gemm", &["a", "a", "b"], "y", &int("transB", 1)),
                weight(tensor("b", 11, &[2], &[0.5, -0.5])),
            ],
            &[2, 2],
            &[14.5, 31.5, 32.5, 76.5],
        ),
        (
            vec![a(), list("x", &[1.0]), node("ReduceSum", &["a", "x"], "y", &int("keepdims", 0))],
            &[2],
            &[6.0, 15.0],
        ),
        (
            vec![
                a(),
                weight(tensor("l", 11, &[], &[2.0])),
                weight(tensor("h", 11, &[], &[4.5])),
                node("Clip", &["a", "l", "h"], "y", &[]),
            ],
            &[2, 3],
            &[2.0, 2.0, 3.0, 4.0, 4.5, 4.5],
        ),
        (
            vec![a(), node("Cast", &["a"], "i", &int("to", 7)), node("Shape", &["i"], "y", &[])],
            &[2],
            &[2.0, 3.0],
        ),
        (
            vec![
                a(),
                list("x", &[0.0]),
                node("Unsqueeze", &["a", "x"], "u", &[]),
                node("Squeeze", &["u"], "y", &[]),
            ],
            &[2, 3],
            &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0],
        ),
    ];
    for (k, (parts, shape, values)) in cases.into_iter().enumerate() {
        assert_eq!(evaluate(&parts), Ok((shape.to_vec(), values.to_vec())), "case {k}");
    }
}

#[test]
fn functions_of_one_number_are_those_of_onnx() {
    let cases: [(&str, [f64; 2]); 8] = [
        ("Tanh", [(-0.5_f64).tanh(), 2.0_f64.tanh()]),
        ("Relu", [0.0, 2.0]),
        ("Elu", [(-0.5_f64).exp() - 1.0, 2.0]),
        ("LeakyRelu", [-0.005, 2.0]),
        ("Sigmoid", [1.0 / (1.0 + 0.5_f64.exp()), 1.0 / (1.0 + (-2.0_f64).exp())]),
        ("Softplus", [(1.0 + (-0.5_f64).exp()).ln(), (1.0 + 2.0_f64.exp()).ln()]),
        ("Sign", [-1.0, 1.0]),
        ("Cos", [0.5_f64.cos(), 2.0_f64.cos()]),
    ];
    for (operator, wanted) in cases {
        let parts = [weight(tensor("x", 11, &[2], &[-0.5, 2.0])), node(operator, &["x"], "y", &[])];
        let (_, found) = evaluate(&parts).unwrap();
        assert!(
            found.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 1e-14),
            "{operator}: {found:?}"
        );
    }
    // single precision is rounded to it
    let parts = [weight(tensor("x", 1, &[1], &[0.1])), node("Tanh", &["x"], "y", &[])];
    let wanted = f64::from(f64::from(0.1_f32).tanh() as f32);
    assert_eq!(evaluate(&parts).unwrap().1, [wanted]);
}

/// A file of `python -m sinew.gym.ppo`, and the outputs of ONNX Runtime: both for `k`-th numbers of
/// `0.3 sin(k + 1)` in all inputs.
#[test]
fn an_exported_file_has_the_numbers_of_onnx_runtime() {
    let graph = Graph::read(include_bytes!("tests/walk.onnx")).unwrap();
    let tensor = |input: &graph::Input| {
        let values = (0..size(&input.shape).unwrap()).map(|k| 0.3 * (k as f64 + 1.0).sin());
        Tensor::new(input.kind, input.shape.clone(), values.collect()).unwrap()
    };
    let inputs = graph.inputs.iter().map(|input| (input.name.as_str(), tensor(input))).collect();
    let outputs = graph.run(inputs).unwrap();
    let ctrl = [
        -0.2124246, 0.5944472, -1.5405584, 0.0695032, 0.7898045, -1.5878927, 0.0012609, 0.7568809,
        -1.4730015, -0.015294, 0.6752397, -1.6629352,
    ];
    let next = [
        -0.5310614, -0.1402834, -0.1013959, 0.173758, -0.1797758, -0.1813901, 0.0031523,
        -0.2505671, 0.1058379, -0.038235, 0.0732153, -0.407338,
    ];
    assert_eq!(graph.outputs, ["ctrl", "next"]);
    for (found, wanted) in outputs.iter().zip([ctrl, next]) {
        assert_eq!(found.shape, [1, 12]);
        let near = found.values.iter().zip(wanted).all(|(a, b): (&f64, f64)| (a - b).abs() < 2e-6);
        assert!(near, "{:?}, wanted {wanted:?}", found.values);
    }
}

#[test]
fn policies_that_do_not_fit_say_why() {
    let m = slide();
    let d = Data::new(&m);
    let says = |bytes: &[u8], why: &str| {
        let found = Policy::read(bytes).and_then(|policy| Driver::new(policy, &m, &d).map(drop));
        let found = found.unwrap_err();
        assert!(found.contains(why), "{found}, wanted {why}");
    };
    let passed = |name: &str, n: u64| {
        vec![input(name, &[1, n]), node("Identity", &[name], "ctrl", &[]), output("ctrl")]
    };
    says(&model(&passed("observation", 17), &[]), "drive.onnx");
    says(&model(&passed("qpos", 15), &[]), "takes 15 numbers of qpos, and the model has 1");
    says(&model(&[input("qpos", &[1, 1]), output("y")], &[]), "none is ctrl");
    says(&model(&passed("last", 3), &[]), "gives 3 controls, and the model has 1");
    says(&model(&passed("qpos", 1), &[("sinew.period", "-1")]), "not a time");
    says(&model(&passed("qpos", 1), &[("sinew.commands", "[[1]]")]), "names and ranges");
    let looped = [node("Loop", &["qpos"], "ctrl", &[]), output("ctrl")];
    says(&model(&looped, &[]), "the operator Loop is not known");
    let missing = [node("Tanh", &["nothing"], "ctrl", &[]), output("ctrl")];
    says(&model(&missing, &[]), "Tanh: 'nothing' is not computed before");
    says(b"", "not an ONNX file");
    says(b"<mujoco/>", "");
}

#[test]
fn weights_in_other_files_are_refused() {
    let outside = [tensor("w", 11, &[1], &[]), bytes(13, b"location"), number(14, 1)].concat();
    let found = evaluate(&[weight(outside)]).unwrap_err();
    assert!(found.contains("in another file, which is not read"), "{found}");
}

#[test]
fn sizes_and_work_are_bounded() {
    // shapes that do not exist in the file
    let large = [1 << 40, 1 << 40, 4];
    for shape in [&large[..], &[1 << 40, 0], &[1; 20], &[u64::MAX]] {
        assert!(evaluate(&[weight(tensor("y", 11, shape, &[]))]).is_err(), "{shape:?}");
    }
    let shape = |values: &[f64]| weight(tensor("s", 7, &[values.len() as u64], values));
    let filled = node("ConstantOfShape", &["s"], "y", &[]);
    assert!(evaluate(&[shape(&[1e9, 1e9]), filled.clone()]).is_err());

    // a product that is doubled again and again
    let mut parts = vec![shape(&[1000.0, 1000.0]), node("ConstantOfShape", &["s"], "x0", &[])];
    for k in 0..50 {
        let (a, b) = (format!("x{k}"), format!("x{}", k + 1));
        parts.push(node("MatMul", &[&a, &a], &b, &[]));
    }
    let begin = std::time::Instant::now();
    let found = evaluate(&parts).unwrap_err();
    assert!(found.contains("too large"), "{found}");
    assert!(begin.elapsed().as_secs() < 20);

    // many axes, many parts, indices beyond the end
    let thousand = vec![0.0; 1000];
    let one = || weight(tensor("a", 11, &[1], &[1.0]));
    for operator in ["Unsqueeze", "Split", "Gather", "Expand", "Reshape", "Squeeze"] {
        let _ = evaluate(&[one(), shape(&thousand), node(operator, &["a", "s"], "y", &[])]);
        let _ = evaluate(&[one(), shape(&[-9.0]), node(operator, &["a", "s"], "y", &[])]);
        let _ = evaluate(&[one(), shape(&[]), node(operator, &["a", "s"], "y", &[])]);
    }
}

#[test]
fn damaged_files_are_errors_or_other_policies() {
    let good = cart();
    let m = slide();
    let d = Data::new(&m);
    let read = |bytes: &[u8]| Policy::read(bytes).and_then(|policy| Driver::new(policy, &m, &d));

    for cut in 0..good.len() {
        assert!(read(&good[..cut]).is_err(), "cut after {cut} bytes of {}", good.len());
    }

    // a bit of a weight makes another policy, a bit of the structure an error
    let (mut accepted, mut refused) = (0, 0);
    for k in 0..good.len() {
        for bit in 0..8 {
            let mut bad = good.clone();
            bad[k] ^= 1 << bit;
            match read(&bad) {
                Ok(_) => accepted += 1,
                Err(_) => refused += 1,
            }
        }
    }
    assert!(accepted > 0 && refused > 0, "{accepted} accepted, {refused} refused");
}
