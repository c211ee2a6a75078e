const files = {
  ".oxlintrc.json":
    '{ "categories": { "correctness": "warn" }, "rules": { "no-debugger": "error", "eqeqeq": "error" } }\n',
  "src/a.js": `const unused = 1;
debugger;
debugger;
export const same = globalThis.x == 1;
`,
  "src/b.js": "export const good = 'error';\n",
};
const expected = [
  "src/a.js: eslint(no-debugger) `debugger` statement is not allowed",
  "src/a.js: eslint(no-debugger) `debugger` statement is not allowed #2",
  "src/a.js: eslint(eqeqeq) Expected === and instead saw ==",
];
const warned = { ...files, "src/a.js": "const unused = 1;\n" };
const of = (name, command, rest) => ({
  tool: "oxlint",
  name,
  command,
  files,
  expected,
  failed: 3,
  at: { [expected[0]]: "src/a.js:2" },
  ...rest,
});

export const family = {
  name: "oxlint",
  packages: { oxlint: "1.94.0" },
  version: "oxlint --version",
  cases: [
    of("default", "oxlint"),
    of("unix", "oxlint --format=unix"),
    of("json", "oxlint --format=json"),
    of("github", "oxlint --format=github"),
    of("coloured", "oxlint", { env: { FORCE_COLOR: "1" } }),
    of("warnings", "oxlint", { files: warned, expected: [], failed: null, at: undefined }),
    of("deny-warnings", "oxlint --deny-warnings", {
      files: warned,
      expected: [
        "src/a.js: eslint(no-unused-vars) Variable 'unused' is declared but never used. Unused variables should start with a '_'",
      ],
      failed: 1,
      at: undefined,
    }),
    of("npm", "npm run lint", {
      files: { ...warned, "package.json": '{ "name": "shop", "scripts": { "lint": "oxlint --deny-warnings" } }\n' },
      expected: [
        "src/a.js: eslint(no-unused-vars) Variable 'unused' is declared but never used. Unused variables should start with a '_'",
      ],
      failed: 1,
      at: undefined,
    }),
    of("syntax-error", "oxlint", {
      files: { "src/a.js": "export const = 1;\n" },
      expected: ["src/a.js: Unexpected token"],
      failed: 1,
      at: undefined,
    }),
    of("passing", "oxlint", { files: { "src/b.js": files["src/b.js"] }, expected: [], failed: null, at: undefined }),
  ],
};
