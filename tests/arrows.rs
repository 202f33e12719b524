//! Holds the arrows of ARCHITECTURE.md: which crate of this workspace may depend on which, and on what outside it.

use std::collections::{BTreeMap, BTreeSet};

use cargo_metadata::{CargoOpt, Metadata, MetadataCommand, Package};

/// Each library crate, and all workspace crates that it may name in its manifest.
const ARROWS: [(&str, &[&str]); 9] = [
    ("warp-ir", &[]),
    ("warp-macros", &["warp-ir"]),
    ("warp-core", &["warp-ir", "warp-macros"]),
    ("warp-cpu", &["warp-core", "warp-ir"]),
    ("warp-cuda", &["warp-core", "warp-ir"]),
    // Names no backend; the facade is there for the examples of its documentation alone.
    ("warp-sim", &["warp-core", "warp-kernel"]),
    ("warp-kernel", &["warp-core", "warp-cpu", "warp-cuda", "warp-sim"]),
    // Compares two backends.
    ("warp-test-devices", &["warp-core", "warp-cpu", "warp-cuda", "warp-ir"]),
    // The runtime once more.
    ("warp-test-second-core", &["warp-ir", "warp-macros"]),
];

/// Outside crates (by the start of their names) and the only workspace crates that may depend on them.
const HOMES: [(&str, &[&str]); 9] = [
    ("syn", &["warp-macros"]),
    ("quote", &["warp-macros"]),
    ("proc-macro2", &["warp-macros"]),
    ("cranelift", &["warp-cpu"]),
    ("libloading", &["warp-cuda"]),
    // What users share arrays with, each behind a feature of the facade: the engine needs none of them.
    ("cust", &["warp-kernel"]),
    ("rustacuda", &["warp-kernel"]),
    ("cudarc", &["warp-kernel"]),
    ("libm", &[]),
];

fn workspace() -> Metadata {
    MetadataCommand::new()
        .manifest_path(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"))
        .features(CargoOpt::AllFeatures)
        .no_deps()
        .other_options(["--offline".to_owned()])
        .exec()
        .expect("cargo describes the workspace")
}

/// Test crates and what examples share: they stand on top, so they may use the facade and each other.
fn is_support(package: &Package, root: &Metadata) -> bool {
    let manifest = package.manifest_path.strip_prefix(&root.workspace_root).expect("a member lies in the workspace");
    manifest.starts_with("tests") || manifest.starts_with("examples") || manifest.starts_with("benches")
}

/// Breaches of the arrows, one sentence each.
fn breaches(packages: &BTreeMap<String, BTreeSet<String>>, support: &BTreeSet<String>) -> Vec<String> {
    let mut found = Vec::new();
    for (name, dependencies) in packages {
        let allowed: BTreeSet<&str> = match ARROWS.iter().find(|(crate_name, _)| crate_name == name) {
            Some((_, allowed)) => allowed.iter().copied().collect(),
            // Test crates that only compile kernels need no backend; those that make kernels of IR need no facade.
            None if support.contains(name) => ["warp-kernel", "warp-core", "warp-ir"].into(),
            None => {
                found.push(format!("{name} is neither in the list of arrows nor below tests, examples or benches."));
                continue;
            }
        };
        // A crate may name itself, to test itself with more features.
        for to in dependencies.iter().filter(|to| packages.contains_key(*to) && *to != name) {
            // Whoever ships tests may use test crates; another test sees to it that nobody ships with one.
            if !support.contains(to) && !allowed.contains(to.as_str()) {
                found.push(format!("{name} must not depend on {to}."));
            }
        }
        for (start, homes) in HOMES {
            let dependent = dependencies.iter().any(|d| d == start || d.starts_with(&format!("{start}-")));
            if dependent && !homes.contains(&name.as_str()) && !support.contains(name) {
                found.push(format!("{name} must not depend on {start}."));
            }
        }
    }
    found
}

fn names<const N: usize>(list: [&str; N]) -> BTreeSet<String> {
    list.map(str::to_owned).into()
}

#[test]
fn arrows_point_one_way() {
    let root = workspace();
    let members = root.workspace_packages();
    let support: BTreeSet<String> =
        members.iter().filter(|p| is_support(p, &root)).map(|p| p.name.to_string()).collect();
    let packages: BTreeMap<String, BTreeSet<String>> =
        members.iter().map(|p| (p.name.to_string(), p.dependencies.iter().map(|d| d.name.clone()).collect())).collect();
    for (name, _) in ARROWS {
        assert!(
            packages.contains_key(name),
            "{name} is no member of the workspace any more; correct the list of arrows."
        );
    }
    assert_eq!(breaches(&packages, &support), Vec::<String>::new());
}

#[test]
fn test_crates_are_used_only_to_test() {
    let root = workspace();
    let members = root.workspace_packages();
    let support: BTreeSet<String> =
        members.iter().filter(|p| is_support(p, &root)).map(|p| p.name.to_string()).collect();
    for package in &members {
        for dependency in &package.dependencies {
            let in_a_library = !is_support(package, &root) && support.contains(&dependency.name);
            let tests_only = dependency.kind == cargo_metadata::DependencyKind::Development;
            assert!(!in_a_library || tests_only, "{} ships with {}.", package.name, dependency.name);
        }
    }
}

#[test]
fn nothing_is_published_by_accident() {
    for package in workspace().workspace_packages() {
        assert_eq!(package.publish.as_deref(), Some(&[][..]), "{} lacks publish = false.", package.name);
        assert_eq!(package.license.as_deref(), Some("MIT OR Apache-2.0"), "{}", package.name);
    }
}

#[test]
fn breaches_are_found() {
    let crates = |list: &[(&str, &[&str])]| -> BTreeMap<String, BTreeSet<String>> {
        list.iter().map(|(n, d)| ((*n).to_owned(), d.iter().map(|d| (*d).to_owned()).collect())).collect()
    };
    let upward = crates(&[("warp-ir", &["warp-core"]), ("warp-core", &["warp-ir", "syn"])]);
    assert_eq!(
        breaches(&upward, &names([])),
        ["warp-core must not depend on syn.", "warp-ir must not depend on warp-core."]
    );
    let stranger = crates(&[("stranger", &[])]);
    assert_eq!(breaches(&stranger, &names([])).len(), 1);
    assert!(breaches(&stranger, &names(["stranger"])).is_empty());
    let facade = crates(&[("warp-kernel", &["cases"]), ("cases", &["warp-kernel", "syn"])]);
    assert!(breaches(&facade, &names(["cases"])).is_empty());
    let tested = crates(&[("warp-cpu", &["cases"]), ("cases", &["warp-cpu"])]);
    assert_eq!(breaches(&tested, &names(["cases"])), ["cases must not depend on warp-cpu."]);
    let backend = crates(&[("warp-core", &["cranelift-jit"])]);
    assert_eq!(breaches(&backend, &names([])), ["warp-core must not depend on cranelift."]);
    let engine = crates(&[("warp-cuda", &["cudarc"])]);
    assert_eq!(breaches(&engine, &names([])), ["warp-cuda must not depend on cudarc."]);
}
