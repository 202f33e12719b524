use super::*;

fn wide(n: u64, [magic, shift]: [u64; 2]) -> u64 {
    ((u128::from(n << 2) * u128::from(magic)) >> 64) as u64 >> shift
}

fn narrow(n: u64, [magic, shift]: [u64; 2]) -> u64 {
    assert!(magic <= u64::from(u32::MAX));
    ((u64::from((n << 1) as u32) * magic) >> 32) >> shift
}

/// Divisors around powers of two, and dividends around their multiples, are where a magic number is wrong first.
fn edges(bits: u32) -> Vec<u64> {
    let mut edges: Vec<u64> = (0..bits).flat_map(|k| [(1u64 << k) - 1, 1 << k, (1 << k) + 1]).collect();
    edges.extend([3 << (bits - 2), (1 << bits) - 1, 12_345, 1_000_003]);
    edges.retain(|&n| n < 1 << bits);
    edges
}

#[test]
fn divisors_divide() {
    for (bits, divide, divisor) in
        [(48, wide as fn(u64, [u64; 2]) -> u64, wide_divisor as fn(u64) -> [u64; 2]), (31, narrow, narrow_divisor)]
    {
        for d in edges(bits).into_iter().filter(|&d| d > 0) {
            let by = divisor(d);
            let most = (1u64 << bits) - 1;
            let near = edges(bits).into_iter().flat_map(|q| {
                let multiple = q.checked_mul(d).filter(|&n| n <= most).unwrap_or(most / d * d);
                [multiple.saturating_sub(1), multiple, (multiple + 1).min(most), q]
            });
            for n in near {
                assert_eq!(divide(n, by), n / d, "{n} / {d} in {bits} bits");
            }
        }
    }
}

#[test]
fn narrow_grids_carry_every_coordinate_and_stay_in_the_limits() {
    let cases: [&[u64]; 9] = [
        &[1],
        &[1000],
        &[7, 1],
        &[3, 5],
        &[4, 5, 6],
        &[2, 3, 4, 5],
        &[65_535 * 2, 3],
        &[(1 << 31) - 1],
        &[70_000, 1, 1],
    ];
    for dims in cases {
        for block in [1, 32, 96, 128, 256, 1024] {
            let Some(Grid { grid, block: shape }) = Grid::new(Width::Narrow, dims, block) else {
                let most = axes(dims)[1..].iter().copied().max().unwrap_or(1);
                assert!(most > 65_535, "{dims:?} in blocks of {block}");
                continue;
            };
            assert!(shape.iter().product::<u32>() <= block && shape[2] <= 64);
            for (axis, extent) in axes(dims).into_iter().enumerate() {
                let reach = u64::from(grid[axis]) * u64::from(shape[axis]);
                assert!((extent..extent + u64::from(shape[axis])).contains(&reach), "{dims:?} in blocks of {block}");
            }
        }
    }
    assert_eq!(Grid::new(Width::Narrow, &[1 << 31], 256), None);
    assert_eq!(Grid::new(Width::Narrow, &[0], 256), None);
}

#[test]
fn wide_grids_carry_every_thread() {
    for dims in [&[1u64][..], &[1 << 40], &[1 << 20, 1 << 20], &[(1 << 47) + 5]] {
        let threads = LaunchWords::threads(dims).unwrap();
        let Grid { grid, block } = Grid::new(Width::Wide, dims, 256).unwrap();
        let reach = u128::from(grid[0]) * u128::from(grid[1]) * u128::from(block[0]);
        assert!(reach >= u128::from(threads) && block == [256, 1, 1]);
    }
    assert_eq!(LaunchWords::threads(&[1 << 24, 1 << 24]), None);
    assert_eq!(LaunchWords::threads(&[1 << 60, 16, 2]), None);
}

#[test]
fn an_empty_array_is_as_long_as_its_longest_extent() {
    let small = Condition::Small { first: 0, count: 2 };
    assert!(small.holds(&[], &[0, 9]));
    assert!(!small.holds(&[], &[0, 1 << 40]));
    assert!(!small.holds(&[], &[1 << 16, 1 << 15]));
    assert!(small.holds(&[], &[1 << 15, 1 << 15]));
}

#[test]
fn strided_arrays_are_near_where_every_place_fits() {
    let near = Condition::Near { extents: 0, strides: 2, count: 2 };
    let holds = |extents: [u64; 2], strides: [u64; 2]| near.holds(&[], &[extents, strides].concat());
    assert!(holds([3, 4], [4, 1]) && holds([4, 3], [1, 4]) && holds([0, 0], [7, 1]));
    // A row is seen from its end; the rows are far from each other; the last element alone is too far.
    assert!(!holds([3, 4], [4, u64::MAX]) && !holds([1, 4], [1 << 31, 1]));
    assert!(holds([2, (1 << 30) + 1], [(1 << 30) - 1, 1]) && !holds([2, (1 << 30) + 1], [1 << 30, 1]));
    assert!(!holds([1 << 40, 1 << 40], [1 << 30, 1 << 30]));
}

#[test]
fn the_words_lie_where_they_are_filled_in() {
    for rank in 1..=4u8 {
        let kernel = Kernel { rank, ..Kernel::default() };
        let layout = LaunchWords::of(&kernel);
        let dims: Vec<u64> = (0..u64::from(rank)).map(|k| 5 + k).collect();
        let words = layout.fill(&dims, 77, 88);
        assert_eq!(words.len(), layout.total);
        assert_eq!((words[layout.fault], words[layout.prints]), (77, 88));
        assert_eq!(words[layout.dims..][..dims.len()], dims);
        assert_eq!(words[layout.threads], dims.iter().product());
        for (k, extent) in dims.iter().skip(1).enumerate() {
            let at = layout.divisors + 2 * k;
            assert_eq!(wide(1000, [words[at], words[at + 1]]), 1000 / extent);
        }
        if let Some(at) = layout.narrow_divisor {
            assert_eq!(narrow(1000, [words[at], words[at + 1]]), 1000 / dims[1]);
        }
    }
}

#[test]
fn a_quiet_block_tells_nothing_and_a_full_ring_how_much_is_lost() {
    assert_eq!(FaultBlock::read(&FaultBlock { operands: 2 }.quiet()), None);
    let fault = FaultBlock::read(&[(9 << 16) | 3, 4, 0, (9 << 16) | 3, 10, 11]).unwrap();
    assert_eq!(fault, Fault { thread: 9, site: 3, operands: vec![10, 11], count: 4 });
    // Five words: a record of three, then one of three that begins inside and has no room, and one beyond.
    let words = [9, 2, 5, (1 << 32) | 1, 7, 42, 0, 99];
    assert_eq!(PrintRing::used([9, 2, 5]), 8);
    let printed = vec![Printed { thread: 7, site: 0, args: vec![42] }];
    assert_eq!(PrintRing::read(&words), Prints { printed, lost: 2 });
}
