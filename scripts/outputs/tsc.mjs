const tsconfig = '{ "compilerOptions": { "strict": true, "noEmit": true, "types": [] }, "include": ["src"] }\n';
const files = {
  "tsconfig.json": tsconfig,
  "src/a.ts": `export const one: number = "text";
export const two: number = "text";
export function add(a: number, b: number): number {
  return a + b;
}
add(1);
`,
  "src/b c.ts": `interface Deep { inner: { value: number } }
export const deep: Deep = { inner: { value: "error TS9999: not this" } };
export const other: { list: { a: number }[] } = { list: [{ a: 1 }, { b: 2 }] as { b: number }[] };
`,
};
const same = "src/a.ts: TS2322 Type 'string' is not assignable to type 'number'.";
const expected = [
  same,
  `${same} #2`,
  "src/a.ts: TS2554 Expected 2 arguments, but got 1.",
  "src/b c.ts: TS2322 Type 'string' is not assignable to type 'number'.",
];
const assigned = "src/b c.ts: TS2322 Type '{ b: number; }[]' is not assignable to type '{ a: number; }[]'.";
const of = (name, command, rest) => ({ tool: "tsc", name, command, files, ...rest });
const all = [...expected, assigned];

export const family = {
  name: "tsc",
  packages: { typescript: "5.9.3", "typescript-7": "npm:typescript@7.0.2" },
  version: "node -p \"require('typescript/package.json').version\"",
  cases: [
    of("plain", "tsc --pretty false", { expected: all, failed: 5, at: { [expected[0]]: "src/a.ts:1" } }),
    of("pretty", "tsc --pretty", { expected: all, failed: 5, at: { [expected[0]]: "src/a.ts:1" } }),
    of("native-plain", "node ../../node_modules/typescript-7/bin/tsc --pretty false", { expected: all, failed: 5 }),
    of("native-pretty", "node ../../node_modules/typescript-7/bin/tsc --pretty", { expected: all, failed: 5 }),
    of("npm", "npm run typecheck", {
      files: { ...files, "package.json": '{ "name": "shop", "scripts": { "typecheck": "tsc" } }\n' },
      expected: all,
      failed: 5,
    }),
    of("syntax-error", "tsc", {
      files: { "tsconfig.json": tsconfig, "src/a.ts": "export const = 1;\n" },
      // The errors are at the equals sign and at the number.
      expected: [
        "src/a.ts: TS1134 Variable declaration expected.",
        "src/a.ts: TS1134 Variable declaration expected. #2",
      ],
      failed: 2,
    }),
    of("no-project", "tsc -p missing.json", {
      expected: ["TS5058 The specified path does not exist: 'missing.json'."],
      failed: 1,
    }),
    of("passing", "tsc --listFiles", {
      files: { "tsconfig.json": tsconfig, "src/error TS1.ts": "export const ok = 1;\n" },
      expected: [],
    }),
  ],
};
