import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    testTimeout: 60_000,
    include: ["test/{effects,runtime,start,ladder/in-memory}/**/*.test.ts"],
    isolate: false,
    exclude: [
      // They play a run again for every point at which it may end, or a whole campaign, for seconds.
      "test/runtime/{crash-points,crash-points-ladder,interleavings,pull-request-worlds,batches}.test.ts",
      // They look at every way that a chart can go.
      "test/runtime/{chart,inspect-run,to-frames,explain}.test.ts",
      "test/effects/parity.test.ts",
    ],
    env: { FC_RUNS: "10", FC_SEED: "1" },
  },
});
