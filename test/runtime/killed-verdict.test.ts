import { describe, expect, it } from "vitest";
import type { WholePorts } from "../../src/effects/with-memory.ts";
import { Policy, type PolicyInput } from "../../src/model/policy.ts";
import type { Documents } from "../../src/ports/documents.ts";
import type { Executor } from "../../src/ports/executor.ts";
import type { CommandResult, Shell } from "../../src/ports/shell.ts";
import { replayRun } from "../../src/runtime/replay-run.ts";
import { scriptedShell } from "../../src/testing/scripted-ports.ts";
import { continueRun, type MemoryRun, type MemoryRunOptions, newRun } from "../support/memory-run.ts";

const block = (id: string): string => `- [ ] ${id} Task ${id}\n  - **Verify**: \`check ${id}\`\n`;
const text = `# Tasks\n\n${["1.1", "1.2", "1.3"].map(block).join("\n")}`;

interface Case {
  readonly name: string;
  readonly ticks: readonly string[];
  readonly policy?: PolicyInput;
  readonly ends?: Partial<CommandResult>;
  readonly isReviewed?: boolean;
  readonly verdict: string;
}

const cases: readonly Case[] = [
  { name: "ticks of other tasks", ticks: ["1.2", "1.3"], verdict: "rejected" },
  {
    name: "its own tick, while its Verify fails",
    ticks: ["1.1"],
    policy: { requireExecutorTick: true },
    ends: { exitCode: 1, stderr: "boom" },
    verdict: "failed",
  },
  {
    name: "its own tick, while its Verify cannot run",
    ticks: ["1.1"],
    ends: { exitCode: 127 },
    verdict: "gate",
  },
  {
    name: "its own tick, and a review is due",
    ticks: ["1.1"],
    policy: { requireExecutorTick: true },
    isReviewed: true,
    verdict: "accepted",
  },
];

function begin({ ticks, policy = {}, ends, isReviewed = false }: Case) {
  const made = newRun(isReviewed ? text.replaceAll(/\n- \[ \] 1\.[23].*\n.*\n/g, "") : text);
  const broken = scriptedShell({ "check 1.1": Array.from({ length: 9 }, () => ends ?? {}) });
  let isMended = false;
  const attempted = (): boolean => made.records.some((record) => record.type === "delegated" && record.key === "1.1#2");
  const shell: Shell = {
    ...broken,
    run: (...command) => (isMended || attempted() ? scriptedShell() : broken).run(...command),
  };
  const executor: Executor = async ({ key, taskId }) => {
    for (const task of key === "1.1#1" ? ticks : [taskId]) await made.store.tick(task, true);
    return "TASK_COMPLETE";
  };
  const ports: Partial<WholePorts> = {
    executors: { executor, verifier: executor, ...(isReviewed && { reviewer: async () => "REVIEW_PASS" }) },
  };
  return {
    made,
    start: (options: MemoryRunOptions = {}, more: Partial<WholePorts> = {}) =>
      continueRun(made, executor, { policy, shell, ...options, ports: { ...ports, ...more } }),
    mend: () => {
      isMended = true;
    },
  };
}

const verdictsIn = ({ records }: MemoryRun) =>
  records.flatMap((record) => {
    if (record.type !== "answered" || !record.key.startsWith("1.1#")) return [];
    const { key, answer, verify, judgement } = record;
    return [{ key, answer, verify, judgement }];
  });

describe.each(cases)("a claim with $name", (tried) => {
  it("I15: is judged the same by the resuming start after a kill at any of its records", async () => {
    const whole = begin(tried);
    const expected = await whole.start();
    const verdict = whole.made.records.findIndex(
      (record) => record.type === "answered" && record.key === "1.1#1/verify",
    );
    expect(whole.made.records[verdict]).toMatchObject({ answer: { kind: tried.verdict } });
    for (let killedAt = 1; killedAt <= verdict; killedAt++) {
      const { made, start } = begin(tried);
      expect(await start({ killedAt })).toBe(null);
      expect((await start())?.outcome).toBe(expected?.outcome);
      expect({ killedAt, verdicts: verdictsIn(made) }).toEqual({ killedAt, verdicts: verdictsIn(whole.made) });
      expect(made.store.tasks.text).toBe(whole.made.store.tasks.text);
      const starts = [{ at: 0, policy: Policy.parse(tried.policy ?? {}), records: made.records }];
      expect(replayRun({ starts, open: 3 }).differences).toEqual([]);
    }
  });

  it("I15: is judged the same by the resuming start after a kill at the first reverted tick", async () => {
    const whole = begin(tried);
    await whole.start();
    const { made, start } = begin(tried);
    await new Promise<void>((resolve) => {
      const tick: Documents["tick"] = async (task, done) => {
        const edit = await made.store.tick(task, done);
        if (done) return edit;
        resolve();
        return new Promise(() => {});
      };
      void start({}, { documents: { ...made.store, tick } });
    });
    await start();
    expect(verdictsIn(made)).toEqual(verdictsIn(whole.made));
    expect(made.store.tasks.text).toBe(whole.made.store.tasks.text);
  });
});

it("a claim is judged again once a question from before a kill is answered", async () => {
  const [, , asked] = cases as readonly [Case, Case, Case, Case];
  const { made, start, mend } = begin(asked);
  await start({ killedAt: 6 });
  expect(made.records.at(-1)).toMatchObject({ type: "judged", answer: { kind: "gate" } });
  expect((await start())?.outcome).toBe("gate");
  mend();
  expect((await start({ asksAgain: true }))?.outcome).toBe("complete");
});
