import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

/** Whole runs in memory, and every way through a chart: long as they are, coverage would make them longer. */
const LONG = ["test/runtime/**/*.test.ts", "test/machines/task-graph.test.ts", "test/hosts/simulation/**/*.test.ts"];
/** Tests that need no process, by which coverage is measured. */
const PURE = [
  "test/{model,digest,parse,markdown,recover,wording,prompt,run,start,effects,machines,ladder/in-memory}/**/*.test.ts",
  "test/adapters/documents/progress-log.test.ts",
];
/** What they cover. */
const COVERED = {
  "{src/{model,parse,markdown,recover,run,wording/report},machines}/**/*.ts": { branches: 100 },
  "src/wording/{explain-*,question-hints,tell-verdict}.ts": { branches: 100 },
};

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  resolve: {
    alias: [
      { find: /^fixpoint$/, replacement: at("src/index.ts") },
      { find: /^fixpoint\/run$/, replacement: at("src/runtime/index.ts") },
      { find: /^fixpoint\/machines$/, replacement: at("machines/index.ts") },
      { find: /^fixpoint\/node$/, replacement: at("src/hosts/node/index.ts") },
      { find: /^fixpoint\/testing\/arbitraries$/, replacement: at("src/testing/arbitraries.ts") },
      { find: /^fixpoint\/testing\/contracts$/, replacement: at("src/testing/contracts.ts") },
      { find: /^fixpoint\/testing$/, replacement: at("src/testing/index.ts") },
    ],
  },
  test: {
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
    projects: [
      {
        extends: true,
        test: {
          name: "pure",
          include: PURE,
          exclude: LONG,
        },
      },
      {
        extends: true,
        test: {
          name: "long",
          include: LONG,
        },
      },
      {
        extends: true,
        test: {
          name: "node",
          include: ["test/**/*.test.ts"],
          exclude: [...PURE, ...LONG],
          globalSetup: "test/support/build-once.ts",
        },
      },
    ],
    coverage: {
      provider: "v8",
      include: Object.keys(COVERED),
      reporter: ["text-summary", "lcov", "json-summary"],
      thresholds: COVERED,
    },
  },
});
