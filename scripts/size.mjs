// Bundles entries for a browser with vite and esbuild. Fails if the core imports a Node built-in, or a bundle exceeds
// its limit.
import { isBuiltin } from "node:module";
import { brotliCompressSync, gzipSync } from "node:zlib";
import * as esbuild from "esbuild-wasm";
import * as vite from "vite";

const step = 'export { start, report, pending, send } from "./doors/run.js"';
/** `limit`: compressed bytes with vite, and with esbuild. */
const cases = [
  { name: "everything in .", code: 'export * from "./doors/index.js"', limit: [156_000, 162_000] },
  { name: ". without dependencies", code: 'export * from "./doors/index.js"', limit: [104_000, 106_500], bare: true },
  { name: "parseFailure only", code: 'export { parseFailure } from "./doors/index.js"', limit: [1_500, 1_550] },
  {
    name: "plan editor",
    code: 'export { readPlan, insertFixTask, tickTask } from "./doors/index.js"',
    limit: [46_000, 47_600],
  },
  { name: "decide", code: 'export { decide, Policy } from "./doors/index.js"', limit: [32_500, 35_000] },
  {
    name: "step + task machine",
    code: `${step}; export { createTaskMachine } from "./doors/machines.js"`,
    limit: [74_500, 78_500],
  },
  {
    name: "escalation machine",
    code: 'export { createEscalationMachine } from "./doors/machines.js"',
    limit: [50_500, 54_000],
  },
  { name: "everything in ./machines", code: 'export * from "./doors/machines.js"', limit: [55_500, 59_000] },
  { name: "everything in ./agents", code: 'export * from "./doors/agents.js"', limit: [34_500, 37_500] },
  { name: "everything in ./testing", code: 'export * from "./doors/testing.js"', limit: [274_500, 285_000] },
  { name: "memory store", code: 'export { memoryStore } from "./doors/testing.js"', limit: [69_500, 75_000] },
];

const isLeftOut = (id, bare) => isBuiltin(id) || (bare === true && /^[@\w]/.test(id));

async function withVite({ code, bare }, builtins) {
  const entry = `${process.cwd()}/dist/entry.js`;
  const { output } = await vite.build({
    configFile: false,
    logLevel: "silent",
    plugins: [
      {
        name: "entry",
        enforce: "pre",
        resolveId(id) {
          if (id === entry) return id;
          if (isBuiltin(id)) builtins.add(id);
          return isLeftOut(id, bare) ? { id, external: true } : undefined;
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
  return output.map((chunk) => chunk.code ?? "").join("");
}

async function withEsbuild({ code, bare }, builtins) {
  const { outputFiles } = await esbuild.build({
    stdin: { contents: code, resolveDir: `${process.cwd()}/dist` },
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2023",
    write: false,
    logLevel: "error",
    plugins: [
      {
        name: "outside",
        setup(build) {
          build.onResolve({ filter: /.*/ }, ({ path }) => {
            if (isBuiltin(path)) builtins.add(path);
            return isLeftOut(path, bare) ? { path, external: true } : undefined;
          });
        },
      },
    ],
  });
  return outputFiles[0].text;
}

let failed = false;
for (const each of cases) {
  for (const [bundler, bundle, limit] of [
    ["vite", withVite, each.limit[0]],
    ["esbuild", withEsbuild, each.limit[1]],
  ]) {
    const builtins = new Set();
    const text = await bundle(each, builtins);
    const gzip = gzipSync(text).length;
    const bad = builtins.size > 0 || gzip > limit;
    failed ||= bad;
    const column = (value, width) => String(value).padStart(width);
    process.stdout.write(
      `${bad ? "FAIL" : "ok  "} ${each.name.padEnd(25)}${bundler.padEnd(8)}${column(text.length, 8)} min` +
        `${column(gzip, 8)} gzip${column(brotliCompressSync(text).length, 8)} brotli, limit ${limit} ` +
        `${[...builtins].join(" ")}\n`,
    );
  }
}
process.exitCode = failed ? 1 : 0;
