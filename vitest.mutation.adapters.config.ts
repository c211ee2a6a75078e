import { dirname } from "node:path";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    testTimeout: 60_000,
    include: ["test/adapters/**/*.test.ts"],
    isolate: false,
    exclude: [
      // It looks at what a process of its own writes, which runs without the mutants.
      "test/adapters/durability.long.test.ts",
    ],
    expect: { poll: { timeout: 20_000 } },
    env: {
      FC_RUNS: "20",
      FC_SEED: "1",
      // The repository that the sandbox lies in is none of the mutants' business.
      GIT_CEILING_DIRECTORIES: dirname(process.cwd()),
    },
    globalSetup: "test/support/build-once.ts",
  },
});
