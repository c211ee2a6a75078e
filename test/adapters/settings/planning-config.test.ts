import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readPlanningConfig } from "../../../src/adapters/settings/settings-file.ts";
import { temporaryFolder } from "../../support/folder.ts";

function workspaceWith(text: string): string {
  const workspace = temporaryFolder();
  mkdirSync(join(workspace, ".planning"));
  writeFileSync(join(workspace, ".planning", "config.json"), text);
  return workspace;
}

const nothing = { nodeRepair: null, repairBudget: null };

describe("readPlanningConfig", () => {
  it.each([
    ["{}", nothing],
    ['{"workflow": {}}', nothing],
    ['{"workflow": {"node_repair": true}}', { nodeRepair: true, repairBudget: null }],
    ['{"workflow": {"node_repair_budget": 0}}', { nodeRepair: null, repairBudget: 0 }],
    ['{"workflow": {"node_repair": true, "node_repair_budget": 4}}', { nodeRepair: true, repairBudget: 4 }],
    ['{"workflow": {"node_repair": false}}', { nodeRepair: false, repairBudget: 0 }],
    ['{"workflow": {"node_repair": false, "node_repair_budget": 4}}', { nodeRepair: false, repairBudget: 0 }],
    ['\uFEFF{"mode": ["x"], "workflow": {"node_repair_budget": 1, "research": "on"}}', { ...nothing, repairBudget: 1 }],
    ['{"__proto__": {"workflow": {"node_repair": true}}}', nothing],
  ])("reads %s", (text, expected) => {
    expect(readPlanningConfig(workspaceWith(text))).toEqual(expected);
  });

  it("finds nothing without a file", () => {
    const workspace = temporaryFolder();
    expect(readPlanningConfig(workspace)).toEqual(nothing);
    writeFileSync(join(workspace, ".planning"), "");
    expect(readPlanningConfig(workspace)).toEqual(nothing);
  });

  it.each([
    ["", "expected JSON"],
    ["{,}", "expected JSON"],
    ["[".repeat(500_000), "expected JSON"],
    ["[]", "expected an object"],
    ["null", "expected an object"],
    ['{"workflow": true}', "`workflow`: expected an object"],
    ['{"workflow": {"node_repair": "false"}}', "`workflow.node_repair`: expected true or false"],
    ['{"workflow": {"node_repair": null}}', "`workflow.node_repair`: expected true or false"],
    [
      '{"workflow": {"node_repair_budget": -1}}',
      "`workflow.node_repair_budget`: expected a whole number of at least 0",
    ],
    [
      '{"workflow": {"node_repair_budget": 1.5}}',
      "`workflow.node_repair_budget`: expected a whole number of at least 0",
    ],
    ['{"workflow": {"node_repair_budget": 1e400}}', "expected a whole number of at least 0"],
    ['{"workflow": {"node_repair": false, "node_repair_budget": "2"}}', "expected a whole number of at least 0"],
    [`"${"x".repeat(1024 * 1024)}"`, "expected at most 1048576 bytes"],
  ])("refuses %.60s", (text, message) => {
    const workspace = workspaceWith(text);
    expect(() => readPlanningConfig(workspace)).toThrow(
      expect.objectContaining({
        code: "planning-config-malformed",
        blame: "input",
        message: expect.stringContaining(message),
      }),
    );
    expect(() => readPlanningConfig(workspace)).toThrow(join(workspace, ".planning", "config.json"));
  });

  it("follows links inside the workspace, and none out of it", () => {
    const workspace = workspaceWith('{"workflow": {"node_repair": true}}');
    const other = temporaryFolder();
    mkdirSync(join(workspace, "sub"));
    symlinkSync("../.planning", join(workspace, "sub", ".planning"));
    symlinkSync(join(workspace, ".planning"), join(other, ".planning"));
    const refusal = expect.objectContaining({ code: "file-refused", blame: "environment" });
    expect(() => readPlanningConfig(other)).toThrow(refusal);
    expect(() => readPlanningConfig(join(workspace, "sub"))).toThrow(refusal);
    const inside = temporaryFolder();
    mkdirSync(join(inside, "real"));
    writeFileSync(join(inside, "real", "config.json"), '{"workflow": {"node_repair": true}}');
    symlinkSync("real", join(inside, ".planning"));
    expect(readPlanningConfig(inside).nodeRepair).toBe(true);
  });

  it("does not block on a pipe and reads no folder", () => {
    const workspace = temporaryFolder();
    mkdirSync(join(workspace, ".planning"));
    execFileSync("mkfifo", [join(workspace, ".planning", "config.json")]);
    expect(() => readPlanningConfig(workspace)).toThrow(expect.objectContaining({ code: "file-refused" }));
    const other = temporaryFolder();
    mkdirSync(join(other, ".planning", "config.json"), { recursive: true });
    expect(() => readPlanningConfig(other)).toThrow(expect.objectContaining({ code: "file-refused" }));
  });
});
