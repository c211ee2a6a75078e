import { describe, expect, it } from "vitest";
import { createRunMemory } from "../../src/effects/run-memory.ts";
import { readPlan } from "../../src/markdown/document/plan-document.ts";
import type { RunEvent } from "../../src/model/event.ts";
import { Policy } from "../../src/model/policy.ts";
import type { RunRecord } from "../../src/model/record.ts";
import type { CommandResult } from "../../src/ports/shell.ts";
import { findManualFixes, mayBeFixedManually, renderManualFixes } from "../../src/runtime/find-manual-fixes.ts";
import type { StartOptions } from "../../src/runtime/start.ts";
import { scriptedShell } from "../../src/testing/scripted-ports.ts";
import { answered } from "../support/answered.ts";
import { sampleFix } from "../support/sample-fix.ts";

const never = new AbortController().signal;
const task = (id: string, verify: string, more = ""): string => `- [ ] ${id} ${more}Task\n  - **Verify**: ${verify}\n`;
const plan = `${task("1.1", "`check`")}${task("1.1.1", "`check fix`", "[FIX 1.1] ")}${task("1.2", "`check`")}`;
const delegated = (id: string, attempt = 1): RunRecord => ({
  ...{ type: "delegated", key: `${id}#${attempt}`, task: id, role: "executor", attempt, retries: 0, elapsedMs: 0 },
});
const hasFailed = (key: string, command: string): RunRecord => {
  const result = { exitCode: 1, stdout: "", stderr: "", durationMs: 1, timedOut: false };
  const verify = { command, name: `${key}/verify`, result, digest: { source: "last-line", failures: [] } };
  return answered(`${key}/verify`, { kind: "failed", layer: "verify", reason: "r" }, { verify });
};
const unseen = [
  ...[delegated("1.1"), { type: "intended", key: "1.1#1", fix: { ...sampleFix, id: "1.1.1", fixOf: "1.1" } }],
  ...[delegated("1.1.1"), delegated("1.1.1", 2)],
] as RunRecord[];
const tried = [...unseen, hasFailed("1.1#1", "check"), hasFailed("1.1.1#1", "check fix")];
const failing = { exitCode: 1, stderr: "it is wrong\n" };

async function start({
  text = plan,
  ends = {} as Readonly<Record<string, readonly Partial<CommandResult>[]>>,
  records = tried,
  stoppedAt = "1.1" as string | null,
  parked = [] as readonly string[],
  options = {} as StartOptions,
  trustExecutor = false,
  changed = [] as readonly string[],
  exists = true,
} = {}) {
  const memory = createRunMemory();
  for (const record of records) memory.apply(record);
  const ran: [string, object][] = [];
  const scripted = scriptedShell(ends);
  const shell = {
    exists: async () => exists,
    run: (command: string, given: object, signal: AbortSignal) => {
      ran.push([command, given]);
      return scripted.run(command, given as never, signal);
    },
  };
  const origin = {
    policy: Policy.parse({ trustExecutor }),
    past: { stoppedAt, parked: parked.map((root) => ({ root, current: root })) },
    state: memory.state,
  } as never;
  const tools = { memory, shell, workspace: "/work", wasChanged: (id: string) => changed.includes(id) };
  const given = { options, origin };
  const mending = await findManualFixes(given, readPlan(text), tools, never);
  return { mending, memory, ran, mayBe: mayBeFixedManually(given, readPlan(text)) };
}
const keysOf = ({ mending }: Awaited<ReturnType<typeof start>>): string[] => mending.mended.map(({ key }) => key);

describe("manual fixes", () => {
  it("include the task that stopped the run if its Verify passes now, its open fixes first", async () => {
    const made = await start();
    expect(keysOf(made)).toEqual(["1.1.1#2", "1.1#1"]);
    expect(made.mending.open).toBe(null);
    expect(made.mending.mended[1]?.verify).toMatchObject({ command: "check", name: "1.1#1/mended" });
    const { verifyTimeout } = Policy.parse({});
    expect(made.ran).toEqual([
      ["check fix", { timeoutMs: verifyTimeout, keepAs: "1.1.1#2/mended" }],
      ["check", { timeoutMs: verifyTimeout, keepAs: "1.1#1/mended" }],
    ]);
    expect(made.mayBe).toBe(true);
  });

  it("are proven by one run of a command, even if fixes have copied it", async () => {
    const made = await start({ text: plan.replace("`check fix`", "`check`") });
    expect(keysOf(made)).toEqual(["1.1.1#2", "1.1#1"]);
    expect(made.ran).toHaveLength(1);
  });

  it("exclude a task whose Verify was never seen failing: it may always have passed", async () => {
    const made = await start({ records: unseen });
    expect(made.mending).toEqual({ mended: [], open: { task: "1.1", error: null } });
    const other = await start({ records: [...unseen, hasFailed("1.2#1", "check"), hasFailed("1.1.1#1", "check fix")] });
    expect(other.mending).toMatchObject({ mended: [{ key: "1.1.1#2" }], open: { task: "1.1", error: null } });
    const events: RunEvent[] = [];
    renderManualFixes(made.mending, made.memory, (event) => events.push(event));
    const message = "Verify of 1.1 passes, but may have passed all along: tick the task in tasks.md if it is done";
    expect(events).toEqual([{ type: "notice", message }]);
  });

  it("are searched in each task that waits for a person", async () => {
    const made = await start({ stoppedAt: null, parked: ["1.2", "1.1"] });
    expect(keysOf(made)).toEqual(["1.1.1#2", "1.1#1"]);
    expect(made.mayBe).toBe(true);
    const said = await start({ stoppedAt: null, parked: ["1.1"], options: { decision: "retry" } });
    expect([keysOf(said), said.mayBe]).toEqual([[], false]);
  });

  it("end at the first that still fails, with its failure", async () => {
    const first = await start({ ends: { "check fix": [failing] } });
    expect(first.mending).toEqual({
      mended: [],
      open: { task: "1.1.1", error: "Verify failed (exit 1): it is wrong" },
    });
    const second = await start({ ends: { check: [failing] } });
    expect(keysOf(second)).toEqual(["1.1.1#2"]);
    expect(second.mending.open?.task).toBe("1.1");
    const late = await start({ ends: { "check fix": [{ timedOut: true }] } });
    expect(late.mending.open?.error).toBe("Verify timed out after 10m (--verify-timeout)");
  });

  it("are empty if a person says how to continue, or no Verify is run", async () => {
    for (const options of [
      { options: { guidance: "There" } },
      { options: { decision: "retry" as const } },
      { trustExecutor: true },
    ]) {
      const made = await start(options);
      expect([made.mending, made.ran, made.mayBe]).toEqual([{ mended: [], open: null }, [], false]);
    }
  });

  it("are empty if the proof of the task was changed without a person's consent", async () => {
    const blocked = answered("1.1.1#2/verify", { kind: "blocked", question: "q", covers: ["test/a@1"] });
    const rejected = answered("1.1.1#2/verify", { kind: "rejected", layer: "guard", reason: "r" });
    for (const last of [blocked, rejected]) {
      const { ran, mayBe } = await start({ records: [...tried, last] });
      expect({ ran, mayBe }).toEqual({ ran: [], mayBe: false });
    }
    const { ran } = await start({
      records: [...tried, answered("1.1.1#2/verify", { kind: "blocked", question: "q" })],
    });
    expect(ran).not.toEqual([]);
  });

  it("are empty if the run stopped at no task, at a done one, or at one without attempts", async () => {
    for (const options of [
      { stoppedAt: null },
      { stoppedAt: "9.9" },
      { stoppedAt: "1.2" },
      { text: plan.replace("[ ] 1.1 ", "[x] 1.1 ") },
      { text: `${plan}${task("1.1", "`check`")}` },
    ]) {
      const made = await start(options);
      expect([made.mending, made.ran, made.mayBe]).toEqual([{ mended: [], open: null }, [], false]);
    }
  });

  it("are empty if the text of the task was changed, or its Verify does not run", async () => {
    for (const options of [
      { changed: ["1.1.1"] },
      { text: plan.replace("`check fix`", "`a.md` is right, and so is `b.md`") },
      { text: plan.replace("`check fix`", "npm test"), exists: false },
    ]) {
      const made = await start(options);
      expect([made.mending, made.ran]).toEqual([{ mended: [], open: null }, []]);
    }
    expect((await start({ text: plan.replace("`check fix`", "`a.md` is right, and so is `b.md`") })).mayBe).toBe(false);
    const records = [...tried, hasFailed("1.1.1#1", "npm test")];
    const runs = await start({ text: plan.replace("`check fix`", "npm test"), records });
    expect(keysOf(runs)).toEqual(["1.1.1#2", "1.1#1"]);
    expect(keysOf(await start({ exists: false }))).toEqual(["1.1.1#2", "1.1#1"]);
    const goal = task("1.1", "`check`", "[VERIFY] Goal verification ");
    expect((await start({ text: goal, records: [delegated("1.1")] })).ran).toEqual([]);
  });

  it("exclude a skipped or superseded fix", async () => {
    const skipped: RunRecord = { type: "skipped", task: "1.1.1", justification: "gone" };
    expect(keysOf(await start({ records: [...tried, skipped] }))).toEqual(["1.1#1"]);
    const fix = { ...sampleFix, id: "1.1.2", fixOf: "1.1", supersedes: "1.1.1" };
    const superseding: RunRecord = { type: "intended", key: "1.1.1#2", fix };
    const text = `${plan}${task("1.1.2", "`check more`", "[FIX 1.1] ")}`;
    const records = [...tried, superseding, delegated("1.1.2"), hasFailed("1.1.2#1", "check more")];
    expect(keysOf(await start({ text, records }))).toEqual(["1.1.2#1", "1.1#1"]);
  });
});

describe("the event of a manual fix", () => {
  it("contains what passed with its duration, and what still fails", async () => {
    const told = async (options: Parameters<typeof start>[0]) => {
      const events: RunEvent[] = [];
      const { mending, memory } = await start(options);
      renderManualFixes(mending, memory, (event) => void events.push(event));
      return events;
    };
    expect(await told({})).toEqual([
      { type: "notice", message: "Verify of 1.1.1 passes now: it is done" },
      { type: "task.passed", task: "1.1.1", attempts: 2, fixes: [], proof: { kind: "proven" } },
      { type: "notice", message: "Verify of 1.1 passes now: it is done" },
      { type: "task.passed", task: "1.1", attempts: 1, fixes: ["1.1.1"], proof: { kind: "proven" } },
    ]);
    expect(await told({ ends: { "check fix": [failing] } })).toEqual([
      { type: "notice", message: "1.1.1 still fails: Verify failed (exit 1): it is wrong" },
    ]);
  });
});
