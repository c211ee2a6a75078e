import { family as older } from "./node-test.mjs";

// Node 24 prints these cases differently from other versions.
const names = ["one", "several", "nested", "names", "skipped", "hooks", "syntax-error", "passing"];

export const family = {
  name: "node-test-24",
  packages: { node: "24.11.0" },
  version: "node --version",
  cases: older.cases
    .filter(({ name }) => names.some((each) => name === `spec-${each}` || name === `tap-${each}`))
    .map((each) => ({ ...each, name: `24-${each.name}` })),
};
