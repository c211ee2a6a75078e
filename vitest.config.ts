import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

/** Exhaustive, hostile or slow tests, and tests that kill processes: only `npm run test:long` runs them. */
const LONG = ["test/**/*.long.test.ts"];
/** Tests that start no process; coverage is measured with them. */
const PURE = [
  "test/{model,digest,parse,markdown,recover,evidence,wording,prompt,run,start,effects,machines,ladder/in-memory,runtime}/**/*.test.ts",
  "test/coordinator/pull-request.test.ts",
  "test/net/kills.test.ts",
  "test/testing/own-store.test.ts",
  "test/adapters/documents/progress-log.test.ts",
];
/** Whole stories through the command line: `npm test` runs every third one, CI all of them. */
const STORIES = ["test/net/stories.test.ts"];
/**
 * Tests with many real repositories, databases or sessions of agents, and the table of every option: `npm run test:all`
 * and CI run them.
 */
const SLOW = [
  "test/adapters/git/trees.test.ts",
  "test/hosts/{worktrees,race,attempts,fresh,hidden-changes}.test.ts",
  "test/hosts/dbos/*.test.ts",
  "test/hosts/cli/options/tables.test.ts",
  "test/net/{hand-out,hand-out-misuse,project-check,reports,troubles}.test.ts",
];
/** Files that the pure tests must cover. */
const COVERED = {
  "{src/{model,parse,markdown,recover,run,evidence,wording/report},machines}/**/*.ts": { branches: 100 },
  "src/wording/{explain-*,render-verdict}.ts": { branches: 100 },
};

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

const project = (name: string, test: { readonly include: string[]; readonly exclude?: string[] }) => ({
  extends: true as const,
  test: { name, ...test, ...(name !== "pure" && { globalSetup: "test/support/build-once.ts" }) },
});

const SHORT = [
  project("pure", { include: PURE, exclude: LONG }),
  project("doors", { include: ["test/**/*.test.ts"], exclude: [...PURE, ...STORIES, ...SLOW, ...LONG] }),
  project("stories", { include: STORIES }),
];
const PROJECTS: Readonly<Record<string, readonly ReturnType<typeof project>[]>> = {
  all: [...SHORT, project("slow", { include: SLOW, exclude: LONG })],
  long: [project("long", { include: LONG })],
};

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
    // No test depends on these limits: they only end tests that hang, even on a machine that is many times overloaded.
    testTimeout: 900_000,
    hookTimeout: 900_000,
    teardownTimeout: 300_000,
    // Most files wait for programs now and then: one more worker uses the processors meanwhile.
    maxWorkers: availableParallelism() + 1,
    // With isolation, small files would spend most of their time loading modules again.
    isolate: false,
    // Applies to concurrent tests of one file: most of them wait for programs.
    maxConcurrency: 8,
    // Polling may wait for a program that starts on a busy machine.
    expect: { poll: { timeout: 300_000 } },
    projects: [...(PROJECTS[mode] ?? SHORT)],
    coverage: {
      provider: "v8",
      include: Object.keys(COVERED),
      reporter: ["text-summary", "lcov", "json-summary"],
      thresholds: COVERED,
    },
  },
}));
