// Bundles entries for a browser: fails on a Node built-in in the core and on a bundle over its limit.
import { isBuiltin } from "node:module";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { build } from "vite";

const cases = [
  { name: "everything in .", code: 'export * from "./src/index.js"', limit: 170_000 },
  { name: ". without dependencies", code: 'export * from "./src/index.js"', limit: 116_000, bare: true },
  { name: "parseFailure only", code: 'export { parseFailure } from "./src/index.js"', limit: 1_500 },
  { name: "plan editor", code: 'export { readPlan, insertFixTask, tickTask } from "./src/index.js"', limit: 43_500 },
  { name: "task machine", code: 'export { createTaskMachine } from "./machines/index.js"', limit: 170_000 },
];

let failed = false;
for (const { name, code, limit, bare } of cases) {
  const builtins = new Set();
  const entry = `${process.cwd()}/dist/entry.js`;
  const result = await build({
    configFile: false,
    logLevel: "silent",
    plugins: [
      {
        name: "entry",
        enforce: "pre",
        resolveId(id) {
          if (id === entry) return id;
          if (isBuiltin(id)) builtins.add(id);
          return isBuiltin(id) || (bare === true && /^[@\w]/.test(id)) ? { id, external: true } : undefined;
        },
        load: (id) => (id === entry ? code : undefined),
      },
    ],
    build: {
      write: false,
      target: "es2023",
      modulePreload: false,
      rolldownOptions: { input: entry, preserveEntrySignatures: "strict" },
    },
  });
  const text = result.output.map((chunk) => chunk.code ?? "").join("");
  const gzip = gzipSync(text).length;
  const bad = builtins.size > 0 || gzip > limit;
  failed ||= bad;
  const column = (value, width) => String(value).padStart(width);
  process.stdout.write(
    `${bad ? "FAIL" : "ok  "} ${name.padEnd(23)}${column(text.length, 8)} min${column(gzip, 8)} gzip` +
      `${column(brotliCompressSync(text).length, 8)} brotli, limit ${limit} ${[...builtins].join(" ")}\n`,
  );
}
process.exitCode = failed ? 1 : 0;
