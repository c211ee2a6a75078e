const config = `export default [
  { files: ["**/*.js"], rules: { "no-undef": "error", "no-unused-vars": "warn", eqeqeq: "error", complexity: ["error", 1] } },
];
`;
const files = {
  "eslint.config.mjs": config,
  "src/a.js": `const unused = 1;
missing();
missing();
if (1 == 2) {
  other();
}
`,
  "src/with space/b.js": "export const ok = 1;\nexport const bad = gone;\n",
  "src/c.js": "export const good = 'error no-undef 3:1';\n",
};
const expected = [
  "src/a.js: no-undef 'missing' is not defined",
  "src/a.js: no-undef 'missing' is not defined #2",
  "src/a.js: eqeqeq Expected '===' and instead saw '=='",
  "src/a.js: no-undef 'other' is not defined",
  "src/with space/b.js: no-undef 'gone' is not defined",
];
const warned = {
  "eslint.config.mjs": config,
  "src/a.js": "const unused = 1;\n",
};
const of = (name, command, rest) => ({ tool: "eslint", name, command, files, expected, failed: 5, ...rest });

export const family = {
  name: "eslint",
  packages: {
    eslint: "10.15.0",
    "eslint-formatter-unix": "9.0.1",
    "eslint-formatter-compact": "9.0.1",
  },
  version: "eslint --version",
  cases: [
    of("stylish", "eslint .", { at: { [expected[0]]: "src/a.js:2" } }),
    of("unix", "eslint -f unix .", { at: { [expected[0]]: "src/a.js:2" } }),
    of("compact", "eslint -f compact .", { at: { [expected[0]]: "src/a.js:2" } }),
    of("json", "eslint -f json .", { at: { [expected[0]]: "src/a.js:2" } }),
    of("coloured", "eslint --color .", { env: { FORCE_COLOR: "1" } }),
    of("npm", "npm run lint", {
      files: { ...files, "package.json": '{ "name": "shop", "scripts": { "lint": "eslint ." } }\n' },
    }),
    of("warnings", "eslint .", { files: warned, expected: [], failed: null }),
    of("max-warnings", "eslint --max-warnings 0 .", {
      files: warned,
      expected: ["src/a.js: no-unused-vars 'unused' is assigned a value but never used"],
      failed: 1,
    }),
    of("complexity", "eslint .", {
      files: { "eslint.config.mjs": config, "src/a.js": "export function f(a) {\n  return a ? 1 : 2;\n}\n" },
      expected: ["src/a.js: complexity Function 'f' has a complexity of <n>. Maximum allowed is <n>"],
      failed: 1,
    }),
    of("syntax-error", "eslint .", {
      files: { "eslint.config.mjs": config, "src/a.js": "export const = 1;\n" },
      expected: ["src/a.js: Parsing error: Unexpected token ="],
      failed: 1,
      at: { "src/a.js: Parsing error: Unexpected token =": "src/a.js:1" },
    }),
    of("passing", "eslint .", {
      files: { "eslint.config.mjs": config, "src/a.js": "export const ok = 1;\n" },
      expected: [],
      failed: null,
    }),
  ],
};
