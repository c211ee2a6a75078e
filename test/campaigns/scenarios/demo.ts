import type { Scenario } from "./scenario.ts";

export const demo: Scenario = {
  name: "demo",
  example: "examples/demo/project",
  spec: "specs/invoice-totals",
  flags: ["--exec", "node '$ROOT/examples/demo/executor.mjs'", "--recovery-mode"],
  repository: true,
  slow: true,
};
