// The tests of cargo, the compiler and clippy. Needs no crates.

const manifest = '[package]\nname = "shop"\nversion = "0.1.0"\nedition = "2021"\n';

const several = {
  "Cargo.toml": manifest,
  "src/lib.rs": `//! A shop.

/// Adds.
///
/// \`\`\`
/// assert_eq!(shop::add(1, 2), 3);
/// \`\`\`
///
/// \`\`\`
/// assert_eq!(shop::add(0, 0), 0);
/// \`\`\`
pub fn add(a: i32, b: i32) -> i32 {
    a - b
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adds() {
        assert_eq!(add(1, 2), 3, "sum of {} and {}", 1, 2);
    }

    #[test]
    fn fine_failed() {
        println!("test tests::made_up ... FAILED");
        println!("error: nothing\\n --> src/lib.rs:1:1");
    }

    #[test]
    #[ignore]
    fn later() {
        panic!();
    }

    #[test]
    #[should_panic(expected = "boom")]
    fn should_panic() {}

    mod deep {
        #[test]
        fn größe() {
            println!("---- tests::other stdout ----");
            println!("error: printed\\n --> src/lib.rs:1:1");
            assert!("a\\nb".is_empty(), "two\\nlines");
        }

        #[test]
        fn gives_error() -> Result<(), String> {
            Err("no".into())
        }
    }
}
`,
  "tests/whole.rs":
    '#[test]\nfn whole() {\n    assert_ne!(shop::add(1, 0), 1);\n}\n\n#[test]\nfn none() {\n    None::<i32>.expect("a number");\n}\n',
};

const unit = ["tests::adds", "tests::should_panic", "tests::deep::größe", "tests::deep::gives_error"];
const at = { "tests::adds": "src/lib.rs:22" };

const broken = {
  "Cargo.toml": manifest,
  "src/lib.rs": `use std::missing::Thing;

pub fn add(a: i32, b: i32) -> i32 {
    let unused = 1;
    "text"
}

pub fn twice(a: i32) -> i32 {
    undefined(a) + undefined(a)
}

pub fn call() {
    let mut adds = |a: i32| a + 1;
    adds = |a: i32| a + 2;
}

#[test]
fn works() {}
`,
};
const brokenExpected = [
  "src/lib.rs: E0432 unresolved import `std::missing`",
  "src/lib.rs: E0308 mismatched types",
  "src/lib.rs: E0308 mismatched types #2",
  "src/lib.rs: E0425 cannot find function `undefined` in this scope",
  "src/lib.rs: E0425 cannot find function `undefined` in this scope #2",
];

export const family = {
  name: "cargo",
  version: "cargo --version",
  install: () => ({ env: { CARGO_TERM_COLOR: "never", CARGO_NET_OFFLINE: "true", RUSTFLAGS: "" } }),
  cases: [
    {
      tool: "cargo test",
      name: "several",
      files: several,
      command: "cargo test",
      expected: unit,
      failed: 4,
      ran: 5,
      at,
    },
    {
      tool: "cargo test",
      name: "several-targets",
      files: several,
      command: "cargo test --no-fail-fast 2>&1",
      expected: [...unit, "whole", "none", "src/lib.rs - add"],
      failed: 7,
      ran: 9,
    },
    {
      tool: "cargo test",
      name: "quiet-in-make",
      files: { ...several, Makefile: "check:\n\tcargo test --quiet --lib\n" },
      command: "make check",
      expected: unit,
      failed: 4,
      ran: 5,
      at,
    },
    {
      tool: "cargo test",
      name: "coloured",
      files: several,
      command: "cargo test --lib --color always -- --color always",
      expected: unit,
      failed: 4,
      ran: 5,
      at,
    },
    {
      tool: "cargo test",
      name: "backtrace-nocapture",
      files: several,
      env: { RUST_BACKTRACE: "1" },
      command: "cargo test --lib -- --nocapture --test-threads=1",
      expected: unit,
      failed: 4,
      ran: 5,
    },
    {
      tool: "cargo test",
      name: "passing",
      files: {
        "Cargo.toml": manifest,
        "src/lib.rs": '#[test]\nfn failed_error() {\n    println!("error: nothing");\n}\n\nfn unused() {}\n',
      },
      command: "cargo test -- --nocapture",
      expected: [],
    },
    {
      tool: "rustc",
      name: "several",
      files: broken,
      command: "cargo test",
      expected: brokenExpected,
      failed: 5,
      at: { [brokenExpected[0]]: "src/lib.rs:1" },
    },
    {
      tool: "rustc",
      name: "types-coloured",
      files: {
        "Cargo.toml": manifest,
        "src/main.rs": `fn add(a: i32) -> i32 {
    "text"
}

fn main() {
    let unused = 1;
    let mut adds = |a: i32| a + 1;
    adds = |a: i32| a + 2;
    add();
}
`,
      },
      command: "cargo build --color always",
      expected: [
        "src/main.rs: E0308 mismatched types",
        "src/main.rs: E0308 mismatched types #2",
        "src/main.rs: E0061 this function takes 1 argument but 0 arguments were supplied",
      ],
      failed: 3,
    },
    {
      tool: "rustc",
      name: "syntax",
      files: { "Cargo.toml": manifest, "src/main.rs": "fn main() {\n    let x = ;\n}\n" },
      command: "cargo check",
      expected: ["src/main.rs: expected expression, found `;`"],
      failed: 1,
      at: { "src/main.rs: expected expression, found `;`": "src/main.rs:2" },
    },
    {
      tool: "rustc",
      name: "clippy",
      files: {
        "Cargo.toml": manifest,
        "src/lib.rs":
          "pub fn add(a: i32, b: i32) -> i32 {\n    return a + b;\n}\n\npub fn empty(list: &Vec<i32>) -> bool {\n    list.len() == 0\n}\n",
      },
      command: "cargo clippy -- -D warnings",
      expected: [
        "src/lib.rs: unneeded `return` statement",
        "src/lib.rs: writing `&Vec` instead of `&[_]` involves a new object where a slice will do",
        "src/lib.rs: length comparison to zero",
      ],
      failed: 3,
    },
    {
      tool: "rustc",
      name: "manifest",
      files: { "Cargo.toml": "[package]\nname = 3\n", "src/lib.rs": "" },
      command: "cargo check",
      expected: ["Cargo.toml: invalid type: integer `3`, expected a string"],
      failed: 1,
    },
    {
      tool: "rustc",
      name: "warnings",
      files: { "Cargo.toml": manifest, "src/lib.rs": "fn unused() {\n    let error = 1;\n}\n" },
      command: "cargo check",
      expected: [],
    },
  ],
};
