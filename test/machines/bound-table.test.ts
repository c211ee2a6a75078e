import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { PolicyInput } from "../../src/model/policy.ts";
import { longestLadder } from "../support/longest-ladder.ts";

const up = ["pivot", "research", "checkpoint"] as const;
const rows: Readonly<Record<string, PolicyInput>> = {
  none: {},
  "`--recovery-mode`": { recovery: ["fix"] },
  "`--repair`": { recovery: ["repair"] },
  "`--recovery-mode`, `--repair`": { recovery: ["fix", "repair"] },
  "`--escalation`": { recovery: ["retry", ...up] },
  "`--escalation`, `--recovery-mode`": { recovery: ["fix", ...up] },
  "`--escalation`, `--repair`": { recovery: ["repair", ...up] },
  "all three": { recovery: ["fix", "repair", ...up] },
};

it("docs/limits.md has the maximum number of attempts at one root task and its fixes, as computed from policies", () => {
  const page = readFileSync(join(import.meta.dirname, "../../docs/limits.md"), "utf8");
  const table = page.slice(page.indexOf("| options | of one root task"));
  const told = [...table.slice(0, table.indexOf("\n\n")).matchAll(/^\| (.+) \| (\d+) \|$/gm)];
  const computed = Object.entries(rows).map(([options, policy]) => [options, longestLadder(policy)]);
  expect(told.map(([, options, most]) => [options, Number(most)])).toEqual(computed);
});
