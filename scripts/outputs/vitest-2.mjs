import { several } from "./vitest.mjs";

export const family = {
  name: "vitest-2",
  packages: { vitest: "2.1.9" },
  version: "vitest --version",
  cases: [
    { tool: "vitest", name: "2-default", command: "vitest run", ...several },
    { tool: "vitest", name: "2-verbose", command: "vitest run --reporter=verbose", ...several },
    { tool: "vitest", name: "2-json", command: "vitest run --reporter=json", ...several },
  ],
};
