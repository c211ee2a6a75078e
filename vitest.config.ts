import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

/** Tests that are exhaustive or hostile, kill, or take long, for `npm run test:long`. CI runs a twentieth, which the commit draws. */
const LONG = ["test/**/*.long.test.ts"];
/** Tests that need no process, by which coverage is measured. */
const PURE = [
  "test/{model,digest,parse,markdown,recover,evidence,wording,prompt,run,start,effects,machines,ladder/in-memory,runtime}/**/*.test.ts",
  "test/coordinator/pull-request.test.ts",
  "test/net/kills.test.ts",
  "test/testing/own-store.test.ts",
  "test/adapters/documents/progress-log.test.ts",
];
/** What they cover. */
const COVERED = {
  "{src/{model,parse,markdown,recover,run,evidence,wording/report},machines}/**/*.ts": { branches: 100 },
  "src/wording/{explain-*,tell-verdict}.ts": { branches: 100 },
};

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

const project = (name: string, test: { readonly include: string[]; readonly exclude?: string[] }) => ({
  extends: true as const,
  test: { name, ...test, ...(["doors", "long"].includes(name) && { globalSetup: "test/support/build-once.ts" }) },
});

const SHORT = [
  project("pure", { include: PURE, exclude: LONG }),
  project("doors", { include: ["test/**/*.test.ts"], exclude: [...PURE, ...LONG] }),
];

export default defineConfig(({ mode }) => ({
  resolve: {
    alias: [
      { find: /^fixpoint$/, replacement: at("src/index.ts") },
      { find: /^fixpoint\/run$/, replacement: at("src/runtime/index.ts") },
      { find: /^fixpoint\/machines$/, replacement: at("machines/index.ts") },
      { find: /^fixpoint\/node$/, replacement: at("src/hosts/node/index.ts") },
      { find: /^fixpoint\/agents$/, replacement: at("src/agents/index.ts") },
      { find: /^fixpoint\/testing\/arbitraries$/, replacement: at("src/testing/arbitraries.ts") },
      { find: /^fixpoint\/testing\/contracts$/, replacement: at("src/testing/contracts.ts") },
      { find: /^fixpoint\/testing$/, replacement: at("src/testing/index.ts") },
    ],
  },
  test: {
    experimental: { fsModuleCache: true },
    // Nothing is judged by these: they end what hangs, also on a machine with many times more to do than it can.
    testTimeout: 900_000,
    hookTimeout: 900_000,
    teardownTimeout: 300_000,
    // Most files wait for programs now and then: with one more, the processors are at work meanwhile.
    maxWorkers: availableParallelism() + 1,
    // Most of a small file's time would be that of loading what others have loaded.
    isolate: false,
    // Of those in one file that may run at once: most wait for programs, or for what is deaf to signals.
    maxConcurrency: 8,
    // What is waited for may be a program that starts on a busy machine.
    expect: { poll: { timeout: 300_000 } },
    projects: mode === "long" ? [project("long", { include: LONG })] : SHORT,
    coverage: {
      provider: "v8",
      include: Object.keys(COVERED),
      reporter: ["text-summary", "lcov", "json-summary"],
      thresholds: COVERED,
    },
  },
}));
