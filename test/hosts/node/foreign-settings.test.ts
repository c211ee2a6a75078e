import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findSpec } from "../../../src/hosts/node/find-spec.ts";
import { readForeignSettings } from "../../../src/hosts/node/foreign-settings.ts";
import { workspaceWith } from "../cli/sample-spec.ts";

describe("readForeignSettings", () => {
  it.each([
    ["{}", false, { policy: {} }],
    ['{"node_repair_budget": 3}', false, { policy: { repairBudget: 3 } }],
    ['{"node_repair": true}', false, { policy: {}, ladder: { repair: true } }],
    [
      '{"node_repair": true, "node_repair_budget": 1}',
      false,
      { policy: { repairBudget: 1 }, ladder: { repair: true } },
    ],
    ['{"node_repair": false}', false, { policy: { repairBudget: 0 }, ladder: { repair: true } }],
    ['{"node_repair": false}', true, { policy: {} }],
    ['{"node_repair": true, "node_repair_budget": 1}', true, { policy: { repairBudget: 1 } }],
  ])("reads from %s, with the ladder chosen: %s, %j", async (workflow, hasLadder, settings) => {
    const workspace = workspaceWith();
    mkdirSync(join(workspace, ".planning"));
    writeFileSync(join(workspace, ".planning", "config.json"), `{"workflow": ${workflow}}`);
    expect(await readForeignSettings(findSpec("demo", workspace), workspace, hasLadder)).toEqual(settings);
  });

  it("reads limits of state.yaml", async () => {
    const workspace = workspaceWith();
    writeFileSync(join(workspace, "state.yaml"), "failure_recovery:\n  max_pivot_attempts: 7\n");
    const { policy } = await readForeignSettings(findSpec("demo", workspace), workspace, false);
    expect(policy).toEqual({ maxPivotAttempts: 7 });
  });
});
