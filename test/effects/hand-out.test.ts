import { describe, expect, it } from "vitest";
import { createRunMemory } from "../../src/effects/run-memory.ts";
import { readPolicy } from "../../src/model/policy.ts";
import type { Reply } from "../../src/model/reply.ts";
import { type HandOut, NotReported } from "../../src/ports/executor.ts";
import type { Shell } from "../../src/ports/shell.ts";
import { apply } from "../../src/run/apply.ts";
import { newRun as newState } from "../../src/run/new-run.ts";
import { openSession } from "../../src/runtime/session.ts";
import { answered } from "../support/answered.ts";
import { continueRun, type MemoryRun, newRun } from "../support/memory-run.ts";
import { someMoments } from "../support/some-cases.ts";

const plan = (marker = ""): string =>
  ["1.1", "1.2"].map((id) => `- [ ] ${id}${marker} Make ${id}\n  - **Verify**: \`check ${id}\`\n`).join("");
const complete: Reply = { text: "", claim: { kind: "complete" } };
const longest = 40;

async function play({ marker = "", killedAt = Number.POSITIVE_INFINITY, minutes = 0, policy = {} } = {}) {
  const run = newRun(plan(marker));
  const done = new Set<string>();
  const shell: Shell = {
    exists: async () => true,
    run: async (command) => {
      const passes = done.has(command.replace("check ", ""));
      return {
        exitCode: passes ? 0 : 1,
        stdout: passes ? "" : "FAIL it is not there",
        stderr: "",
        timedOut: false,
        durationMs: 1,
      };
    },
  };
  let now = 0;
  const clock = { now: () => now, sleepUntil: async () => {} };
  let kills = 0;
  let report: string | null = null;
  for (let step = 0; step < longest; step += 1) {
    const open: string[] = [];
    const executor: HandOut = Object.assign(
      async ({ key }: { readonly key: string }) => {
        if (key === report) return complete;
        open.push(key);
        throw new NotReported(key);
      },
      { instructions: "tool" as const, nonceHashOf: (key: string, held: string | null) => held ?? `hash of ${key}` },
    );
    const more = {
      shell,
      ports: { clock, executors: { executor } },
      policy: { recovery: ["fix" as const], ...policy },
    };
    const ended = await continueRun(run, executor, kills === 0 ? { ...more, killedAt } : more);
    if (ended === null) {
      // A killed start sends no answer, so the reporter repeats its report.
      kills += 1;
      continue;
    }
    if (ended.outcome !== "waiting") return { run, kills, outcome: ended.outcome, elapsedMs: ended.durationMs };
    [report = null] = open;
    if (report === null) throw new Error("the run waits without handed-out work");
    if (report !== "1.1#1") done.add(report.slice(0, 3));
    now += minutes * 60_000;
  }
  throw new Error("the run does not end");
}

const delegationsOf = ({ records }: MemoryRun): string[] =>
  records.flatMap((record) => (record.type === "delegated" ? [record.key] : []));

describe("handed-out work", () => {
  it.each(["", " [P]"])("counts once, and reaches the same end, killed at any record%s", async (marker) => {
    const whole = await play({ marker });
    expect(whole.outcome).toBe("complete");
    const expected = delegationsOf(whole.run).sort();
    expect(expected).toEqual(["1.1#1", "1.1#2", "1.1.1#1", "1.2#1"]);
    for (const killedAt of someMoments(whole.run.records.length - 1, marker.length % 3)) {
      const { run, kills, outcome } = await play({ marker, killedAt });
      expect({ killedAt, kills, outcome }).toEqual({ killedAt, kills: 1, outcome: "complete" });
      expect({ killedAt, keys: delegationsOf(run).sort() }).toEqual({ killedAt, keys: expected });
      expect({ killedAt, tasks: run.store.tasks }).toEqual({ killedAt, tasks: whole.run.store.tasks });
    }
  });

  it.each(["", " [P]"])("has the time until its report counted once as working time%s", async (marker) => {
    // Four delegations of ten minutes: the times of parallel delegations are added.
    expect((await play({ marker, minutes: 10 })).elapsedMs).toBe(40 * 60_000);
  });

  it("ends at the limit on working time", async () => {
    expect((await play({ minutes: 10, policy: { maxRunTime: 15 * 60_000 } })).outcome).toBe("limit");
    expect((await play({ minutes: 10, policy: { maxRunTime: 45 * 60_000 } })).outcome).toBe("complete");
  });
});

describe("the state passed in", () => {
  it("is not changed: a memory and a session change copies of it", async () => {
    const state = newState();
    apply(state, answered("run#1/chooseTask", { kind: "task", root: "1.1", current: "1.1", spent: {} }));
    const before = JSON.stringify(state);
    const memory = createRunMemory({ state });
    memory.record([{ type: "advised", text: "Keep it" }]);
    const session = openSession({ policy: readPolicy({}), state });
    session.hear({ event: { type: "guidance.given", text: "Keep it" } });
    expect(JSON.stringify(state)).toBe(before);
    expect(memory.state.advice).toEqual({ text: "Keep it" });
    expect(session.state.advice).toEqual({ text: "Keep it" });
  });
});
