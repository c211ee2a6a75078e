import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readConfig } from "../../../../src/hosts/cli/options/config.ts";
import { FixpointError } from "../../../../src/model/errors.ts";

let folder = "";
let workspace = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "fixpoint-config-"));
  workspace = await mkdtemp(join(tmpdir(), "fixpoint-config-"));
});
afterEach(async () => {
  await rm(folder, { recursive: true });
  await rm(workspace, { recursive: true });
});

const write = (text: string, where = folder): Promise<void> => writeFile(join(where, "fixpoint.config.json"), text);
const refusal = async (text: string): Promise<Pick<FixpointError, "code" | "message" | "hint">> => {
  await write(text);
  const error: unknown = await readConfig([folder]).catch((cause: unknown) => cause);
  if (!(error instanceof FixpointError)) throw new Error("Expected a refusal");
  return { code: error.code, message: error.message.replaceAll(folder, "<spec>"), hint: error.hint };
};

describe("readConfig", () => {
  it("returns null if there is no file", async () => {
    expect(await readConfig([folder, join(folder, "nowhere")])).toBeNull();
  });

  it("reads the first file, and returns only the given keys", async () => {
    await write('\ufeff{ "exec": "agent -p", "taskTimeout": "30m", "maxFixTasksPerOriginal": 5 }');
    await write('{ "exec": "other" }', workspace);
    expect(await readConfig([folder, workspace])).toEqual({
      folder,
      settings: { exec: "agent -p", policy: { taskTimeout: 1_800_000, maxFixTasksPerOriginal: 5 } },
      acting: { exec: "agent -p" },
    });
  });

  it("looks in the workspace if the spec has none", async () => {
    await write('{ "verifierExec": "qa", "cwd": "sub", "reporter": "plain", "idleTimeout": null }', workspace);
    expect(await readConfig([folder, workspace])).toEqual({
      folder: workspace,
      settings: { verifierExec: "qa", cwd: "sub", reporter: "plain", policy: { idleTimeout: null } },
      acting: { verifierExec: "qa", cwd: "sub" },
    });
  });

  it.each([
    ['"claude"', ["claude"]],
    ['["claude", "Codex"]', ["claude", "codex"]],
  ])("reads the executors in %s", async (text, executor) => {
    await write(`{ "executor": ${text} }`);
    expect((await readConfig([folder]))?.settings).toEqual({ executor, policy: {} });
  });

  it("suggests the nearest executor for an unknown one", async () => {
    expect(await refusal('{ "executor": ["claude", "codx"] }')).toMatchObject({
      code: "preset-unknown",
      hint: "Did you mean codex?",
    });
  });

  it.each([
    ['{ "recoveryMode": true }', { policy: {}, ladder: { recoveryMode: true } }],
    ['{ "recoveryMode": false }', { policy: {}, ladder: { recoveryMode: false } }],
    ['{ "recovery": ["fix"] }', { policy: { recovery: ["fix"] } }],
    ['{ "repair": false, "escalation": true }', { policy: {}, ladder: { repair: false, escalation: true } }],
  ])("reads recovery from %s", async (text, settings) => {
    await write(text);
    expect((await readConfig([folder]))?.settings).toEqual(settings);
  });

  it("names file, key and nearest key for an unknown one", async () => {
    expect(await refusal('{ "maxFixTasks": 5 }')).toEqual({
      code: "config-unknown-key",
      message: "Cannot use key `maxFixTasks` of `<spec>/fixpoint.config.json`, expected `maxFixTasksPerOriginal`",
      hint: "Correct fixpoint.config.json",
    });
    expect((await refusal('{ "__proto__": {} }')).message).toContain("expected one of recovery, maxTaskIterations,");
  });

  it("reads the severity of plan problems", async () => {
    await write('{ "lint": { "stray-box": "off", "missing-field": "error", "duplicate-id": "error" } }');
    expect((await readConfig([folder]))?.settings.lint).toEqual({
      "stray-box": "off",
      "missing-field": "error",
      "duplicate-id": "error",
    });
  });

  it.each([
    [
      '{ "lint": { "stray-boxes": "off" } }',
      "Cannot use rule `stray-boxes` under `lint` of `<spec>/fixpoint.config.json`, expected `stray-box`",
    ],
    [
      '{ "lint": { "stray-box": "info" } }',
      "Cannot use `lint.stray-box` of `<spec>/fixpoint.config.json`, expected one of off, warning, error",
    ],
    [
      '{ "lint": { "no-tasks": "off" } }',
      'Cannot use `lint.no-tasks` of `<spec>/fixpoint.config.json`, expected "error", since a run refuses such a plan',
    ],
  ])("refuses %s", async (text, message) => {
    expect((await refusal(text)).message).toBe(message);
  });

  it.each([
    [
      '{ "rungs": { "sleep": "claude" } }',
      "key `sleep` under `rungs`",
      "one of retry, fix, repair, pivot, research, race, checkpoint",
    ],
    ['{ "rungs": { "pivots": "claude" } }', "key `pivots` under `rungs`", "`pivot`"],
    ['{ "pullRequest": { "maxTimes": "2h" } }', "key `maxTimes` under `pullRequest`", "`maxTime`"],
  ])("lists the allowed keys of a part, for %s", async (text, what, expected) => {
    expect(await refusal(text)).toMatchObject({
      code: "config-unknown-key",
      message: `Cannot use ${what} of \`<spec>/fixpoint.config.json\`, expected ${expected}`,
    });
  });

  it("lists the lint rules if none has a similar name", async () => {
    expect((await refusal('{ "lint": { "xyz": "off" } }')).message).toContain(
      "expected one of no-tasks, duplicate-id,",
    );
  });

  it("accepts no consent from a file", async () => {
    expect(await refusal('{ "yes": true }')).toMatchObject({
      code: "config-unknown-key",
      hint: "Remove the key from fixpoint.config.json, then agree to this plan (yes: true)",
    });
  });

  it.each([
    ["full", 'Remove the key from fixpoint.config.json, then allow the tool to do everything (permissions: "full")'],
    ["edits", "Correct fixpoint.config.json"],
  ])("accepts no permissions %s from a file", async (level, hint) => {
    expect(await refusal(JSON.stringify({ permissions: level }))).toMatchObject({ code: "config-bad-value", hint });
  });

  it("explains why a file is not JSON", async () => {
    expect(await refusal('{\n  "exec": "agent",\n}')).toMatchObject({
      code: "config-not-json",
      message: expect.stringMatching(/^Cannot read `<spec>\/fixpoint\.config\.json`, expected JSON: \S.*JSON/),
      hint: "JSON has no comments and no comma before a closing bracket",
    });
  });

  it.each([
    ["[]", "Cannot use `<spec>/fixpoint.config.json`, expected object, received array"],
    ["null", "Cannot use `<spec>/fixpoint.config.json`, expected object, received null"],
    [
      '{ "recovery": ["fix"], "recoveryMode": true }',
      "both `recovery` and `recoveryMode` of `<spec>/fixpoint.config.json`, expected one of them",
    ],
    [
      '{ "recovery": ["fix"], "escalation": false }',
      "both `recovery` and `escalation` of `<spec>/fixpoint.config.json`, expected one of them",
    ],
    [
      '{ "recovery": ["pivot", "fix"] }',
      "`recovery` of `<spec>/fixpoint.config.json`, expected each rung once, with pivot, research, race and checkpoint last",
    ],
    [
      '{ "executor": ["claude", "codex"], "exec": "agent" }',
      "both `executor` and `exec` of `<spec>/fixpoint.config.json`, expected one of them",
    ],
  ])("refuses %s", async (text, message) => {
    expect(await refusal(text)).toMatchObject({ code: "config-bad-value", message: expect.stringContaining(message) });
  });

  it("refuses anything that is not a file", async () => {
    await expect(readConfig(["/dev/null"])).resolves.toBeNull();
    await mkdir(join(folder, "fixpoint.config.json"));
    await expect(readConfig([folder])).rejects.toMatchObject({ code: "config-bad-value" });
  });

  it("explains why a file cannot be read", async () => {
    await expect(readConfig(["x".repeat(5000)])).rejects.toMatchObject({
      blame: "environment",
      code: "config-unreadable",
      message: expect.stringContaining("(ENAMETOOLONG)"),
    });
  });
});
