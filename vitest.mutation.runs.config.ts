import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    testTimeout: 60_000,
    include: ["test/{effects,runtime,start,ladder/in-memory}/**/*.test.ts"],
    isolate: false,
    exclude: [
      // It takes seconds.
      "test/runtime/explain.test.ts",
    ],
    env: { FC_RUNS: "10", FC_SEED: "1", ALL_CASES: "1" },
  },
});
