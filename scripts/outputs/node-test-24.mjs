import { family as older } from "./node-test.mjs";

// Node 24 prints some cases differently: it names a file that cannot be loaded by its path.
const names = ["one", "several", "nested", "names", "skipped", "hooks", "syntax-error", "passing"];

/** The test runner of Node 24, whose default output is for people. */
export const family = {
  name: "node-test-24",
  packages: { node: "24.11.0" },
  version: "node --version",
  cases: older.cases
    .filter(({ name }) => names.some((each) => name === `spec-${each}` || name === `tap-${each}`))
    .map((each) => ({ ...each, name: `24-${each.name}` })),
};
