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

#[test]
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

#[test]
fn a_table_says_what_is_kept() {
    let tape = tape();
    let said = tape.to_string();
    assert_eq!(said.lines().next(), Some("a tape of 5 steps that keeps 24 bytes"), "{said}");
    assert!(said.contains("launch `square_plus_one`        2 times             24 bytes"), "{said}");
    assert_eq!(format!("{tape:?}"), said);
}
