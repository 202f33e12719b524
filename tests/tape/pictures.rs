//! Tapes as graphs and tables.

use super::*;

/// Whether a text is a graph in DOT as far as tapes write it: one statement a line, strings with escapes.
fn check_dot(text: &str) -> (usize, usize) {
    let (mut nodes, mut arrows) = (0, 0);
    let body = text.strip_prefix("digraph tape {\n").and_then(|t| t.strip_suffix("}\n")).expect("a graph");
    for line in body.lines() {
        let line = line.trim().strip_suffix(';').unwrap_or_else(|| panic!("no statement: {line}"));
        let (mut quoted, mut escaped, mut bare) = (false, false, String::new());
        for c in line.chars() {
            match c {
                '"' if !escaped => quoted = !quoted,
                c if !quoted => bare.push(c),
                _ => {}
            }
            escaped = quoted && c == '\\' && !escaped;
        }
        assert!(!quoted, "an open string: {line}");
        assert_eq!(bare.matches('[').count(), bare.matches(']').count(), "{line}");
        let name = bare.split(['[', ' ']).next().unwrap();
        assert!(name == "rankdir=LR" || name[1..].parse::<usize>().is_ok(), "{line}");
        arrows += usize::from(bare.contains("->"));
        nodes += usize::from(!bare.contains("->") && name != "rankdir=LR");
    }
    (nodes, arrows)
}

fn tape() -> Tape {
    let (source, mut a) = (array(&[1.0, 2.0]), array(&[0.0; 3]));
    Tape::record(|| {
        a.slice_mut(1..)?.copy_from(&source)?;
        square_plus_one::launch(3, &mut a)?;
        square_plus_one::launch(3, &mut a)?;
        a.fill(0.0)?;
        warp::record_fn("say \"hi\" \\", (&source,), (&mut a,), |_, _| Ok(()), |_| Ok(()))
    })
    .unwrap()
}

#[on_every_device]
fn a_graph_has_boxes_arrays_and_arrows() {
    let dot = tape().to_dot();
    // Five steps and two arrays; reads and writes, and the order.
    assert_eq!(check_dot(&dot), (7, 2 + 1 + 1 + 1 + 2 + 4), "{dot}");
    assert!(dot.contains(r#"s1 [shape=box, label="2nd: launch `square_plus_one`"]"#), "{dot}");
    assert!(dot.contains(r#"[label="from"]"#) && dot.contains("bytes 4..12"), "{dot}");
    assert!(dot.contains("keeps 12 bytes"), "{dot}");
    assert!(dot.contains(r#"function `say \"hi\" \\`"#), "{dot}");
    assert_eq!(check_dot(&Tape::record(|| Ok(())).unwrap().to_dot()), (0, 0));
}

#[on_every_device]
fn a_table_says_what_is_kept() {
    let tape = tape();
    let said = tape.to_string();
    assert_eq!(said.lines().next(), Some("a tape of 5 steps that keeps 24 bytes"), "{said}");
    assert!(said.contains("launch `square_plus_one`        2 times             24 bytes"), "{said}");
    assert_eq!(format!("{tape:?}"), said);
}

/// Bytes in the rows of a table, by what is on the tape.
fn rows(tape: &Tape) -> Vec<(String, usize)> {
    let row = |line: &str| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let (what, bytes) = (words[..words.len() - 4].join(" "), words[words.len() - 2]);
        (what, bytes.parse().unwrap())
    };
    tape.to_string().lines().skip(1).map(row).collect()
}

/// Bytes that a graph says are kept.
fn kept(tape: &Tape) -> usize {
    let parts = tape.to_dot();
    let bytes = parts.split("keeps ").skip(1).map(|rest| rest.split(' ').next().unwrap().parse::<usize>().unwrap());
    bytes.sum()
}

#[kernel]
fn place(x: &[f32], counter: &mut [u32], out: &mut [f32]) {
    let i = tid();
    let slot = atomic_add(&mut counter[0], 1) as usize;
    out[slot] = x[i] * x[i];
}

/// Copies that several steps need, states of checkpoints, what the host wrote and what launches wrote down.
#[on_every_device]
fn each_copy_is_counted_where_it_is_needed_first() {
    for checkpointed in [false, true] {
        let (w, mut a, mut b) = (array(&[1.5; 8]), array(&[0.5; 8]), array(&[0.25; 8]));
        let mut counter = Array::from_slice(&device(), &[0u32]).unwrap();
        let ((), tape) = record(checkpointed, || {
            for k in 0..20 {
                several::scale::launch(8, &a, &a, &mut b)?;
                several::scale::launch(8, &w, &a, &mut b)?;
                square_plus_one::launch(8, &mut a)?;
                if k % 6 == 1 {
                    a.copy_from_slice(&[0.5; 8])?;
                    counter.fill(0)?;
                    place::launch(8, &w, &mut counter, &mut b)?;
                }
            }
            a.fill(0.0)?;
            b.fill(0.0)
        });
        let rows = rows(&tape);
        assert_eq!(rows.iter().map(|(_, bytes)| bytes).sum::<usize>(), tape.snapshot_bytes(), "{tape}");
        assert_eq!(kept(&tape), tape.snapshot_bytes(), "{}", tape.to_dot());
        let of = |name: &str| rows.iter().find(|(what, _)| what == name).unwrap().1;
        assert_ne!(of("launch `scale`"), 0, "{tape}");
        // What it wrote down, eight places a launch; with checkpoints, what it and the host wrote as well.
        let (places, values) = if checkpointed { (4 * (8 * 4 + 4 + 32), 4 * 32) } else { (4 * 8 * 4, 0) };
        assert!(of("launch `place`") >= places, "{tape}");
        assert_eq!(of("`copy_from_slice`"), values, "{tape}");
        check_dot(&tape.to_dot());
    }
}
