const files = {
  "biome.json": "{}\n",
  "src/a.js": `const unused = 1;
debugger;
debugger;
export const same = missing == 1;
`,
  "src/b.js": "export   const spaced = 1\n",
  "src/c.js": "export const good = 'src/c.js:1:1 lint/x';\n".replaceAll("'", '"'),
};
const lint = [
  "src/a.js: lint/suspicious/noDebugger This is an unexpected use of the debugger statement",
  "src/a.js: lint/suspicious/noDebugger This is an unexpected use of the debugger statement #2",
  "src/a.js: lint/suspicious/noDoubleEquals Using == may be unsafe if you are relying on type coercion",
];
const expected = [...lint, "src/b.js: format"];
const of = (name, command, rest) => ({ tool: "biome", name, command, files, expected, ...rest });
const indented = files["src/a.js"];

export const family = {
  name: "biome",
  packages: { "@biomejs/biome": "2.6.8" },
  version: "biome --version",
  cases: [
    of("check", "biome check", { failed: 4, at: { [lint[0]]: "src/a.js:2" } }),
    of("coloured", "biome check --colors=force", { failed: 4 }),
    of("github", "biome check --reporter=github", { at: { [lint[0]]: "src/a.js:2" } }),
    of("json", "biome check --reporter=json", {}),
    of("lint", "biome lint", { expected: lint, failed: 3 }),
    of("format", "biome format", { expected: ["src/b.js: format"], failed: 1 }),
    of("syntax-error", "biome check", {
      files: { "src/a.js": "export const = 1;\n" },
      // The linter and the formatter each print the parse error; the formatter also reports that it gave up.
      expected: [
        "src/a.js: parse Expected an identifier, an array pattern, or an object pattern but instead found '= 1'",
        "src/a.js: parse expected `,` but instead found `;`",
        "src/a.js: parse Expected an identifier, an array pattern, or an object pattern but instead found '= 1' #2",
        "src/a.js: format Code formatting aborted due to parsing errors. To format code with errors, enable the 'formatter.formatWithErrors' option",
      ],
    }),
    of("warnings", "biome lint", {
      files: { ...files, "src/a.js": `${indented.split("\n")[0]}\n` },
      expected: [],
      failed: null,
    }),
    of("error-on-warnings", "biome lint --error-on-warnings", {
      files: { ...files, "src/a.js": `${indented.split("\n")[0]}\n` },
      expected: ["src/a.js: lint/correctness/noUnusedVariables This variable unused is unused"],
      failed: 1,
    }),
    of("passing", "biome check", { files: { "src/c.js": files["src/c.js"] }, expected: [] }),
  ],
};
