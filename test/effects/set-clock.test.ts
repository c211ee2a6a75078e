import { describe, expect, it } from "vitest";
import { createRunMemory } from "../../src/effects/run-memory.ts";
import { withMemory } from "../../src/effects/with-memory.ts";
import { virtualClock } from "../../src/hosts/simulation/virtual-clock.ts";
import type { EffectInput } from "../../src/model/effect.ts";
import { noEscalation } from "../../src/model/escalation.ts";
import { noLimits } from "../../src/model/limits.ts";
import type { RunRecord, TimedRunRecord } from "../../src/model/record.ts";
import type { Reply } from "../../src/model/reply.ts";
import { memoryStore } from "../../src/testing/memory-store.ts";
import { memoryPorts } from "../support/memory-run.ts";
import { performing } from "../support/performing.ts";

const never = new AbortController().signal;
const hourMs = 3_600_000;
const tenYearsMs = 10 * 365 * 24 * hourMs;
const startMs = 1_700_000_000_000;
const delegating = (attempt: number): EffectInput<"delegate"> => ({
  ...{ key: `1.1#${attempt}/delegate`, task: "1.1", root: "1.1", attempt, retries: 0, requireExecutorTick: false },
  ...{ limits: noLimits, grouped: false, climb: null, escalation: noEscalation, escalates: false, remedy: null },
  ...{ maxEvidence: 8000, adjustment: null, guidance: null },
});
const verifying: EffectInput<"verify"> = {
  ...{ key: "1.1#1/verify", task: "1.1", trustExecutor: false, requireExecutorTick: false, requireCommit: false },
  ...{ timeoutMs: 1, reviews: 0 },
};
const reading: EffectInput<"readFailure"> = { key: "1.1#1/readFailure", task: "1.1", waits: 0, watch: false };
const waitingUntil = (until: number): EffectInput<"wait"> => ({
  ...{ key: "1.1#1/wait", task: "1.1", reason: "rate-limit", error: "", until },
});

/** @param untold Number of replies that report a limit without a time. */
function startOf({
  clock = virtualClock(startMs),
  records = [] as readonly TimedRunRecord[],
  stands = false,
  untold = 0,
} = {}) {
  const made: TimedRunRecord[] = [];
  const asked: string[] = [];
  const startedAt = clock.elapsedMs();
  const append = (records: readonly RunRecord[]): void => {
    for (const record of records) made.push({ ...record, at: clock.now() });
  };
  const attempts = createRunMemory({
    open: 1,
    elapsedMs: () => clock.elapsedMs() - startedAt,
    store: { append, writeOutput: () => {}, readOutput: async () => "" },
  });
  for (const record of records) attempts.apply(record);
  const limited = async (): Promise<Reply> => {
    asked.push("first");
    if (asked.length <= untold) return { text: "", exitCode: 1, problem: { kind: "rate-limit", message: "limit" } };
    const problem = { kind: "rate-limit", message: "limit", until: clock.now() + hourMs } as const;
    return asked.length === 1 && records.length === 0 && untold === 0
      ? { text: "", exitCode: 1, problem }
      : { text: "TASK_COMPLETE" };
  };
  const other = async (): Promise<string> => {
    asked.push("second");
    return "TASK_COMPLETE";
  };
  const tasks = "- [ ] 1.1 First\n";
  const ports = memoryPorts(memoryStore(tasks), limited);
  const executor = stands ? ([limited, other] as const) : limited;
  const whole = withMemory({
    ...ports,
    executors: { ...ports.executors, executor },
    clock,
    attempts,
  });
  return { clock, made, asked, attempts, effects: performing(whole) };
}

async function untilLimited(start: ReturnType<typeof startOf>): Promise<number> {
  const { clock, effects } = start;
  await clock.drive(effects.delegate(delegating(1), never));
  await clock.drive(effects.verify(verifying, never));
  const told = await clock.drive(effects.readFailure(reading, never));
  return (told as { readonly until: number }).until;
}

describe("a wall clock that is set back ten years", () => {
  it.each([
    ["before the wait", 0],
    ["during the wait", 60_000],
  ])("I27: prolongs no wait for an executor: %s", async (_, jumpAfterMs) => {
    const start = startOf();
    const { clock, effects } = start;
    const until = await untilLimited(start);
    if (jumpAfterMs === 0) clock.jump(-tenYearsMs);
    else clock.after(jumpAfterMs, () => clock.jump(-tenYearsMs));
    await clock.drive(effects.wait(waitingUntil(until), never));
    expect(clock.elapsedMs()).toBe(hourMs);
    await clock.drive(effects.delegate(delegating(2), never));
    expect([clock.elapsedMs(), start.asked]).toEqual([hourMs, ["first", "first"]]);
  });

  it("I27: prolongs no wait required by another task's limit", async () => {
    const start = startOf();
    const { clock, effects } = start;
    await untilLimited(start);
    clock.jump(-tenYearsMs);
    await clock.drive(effects.delegate(delegating(2), never));
    expect(clock.elapsedMs()).toBe(hourMs);
  });

  it("I27: lets the first executor be asked again at its time", async () => {
    const start = startOf({ stands: true });
    const { clock, effects, asked } = start;
    await untilLimited(start);
    clock.jump(-tenYearsMs);
    await clock.drive(effects.delegate(delegating(2), never));
    await clock.drive(clock.wait(hourMs));
    await clock.drive(effects.delegate(delegating(3), never));
    expect(asked).toEqual(["first", "second", "first"]);
  });

  it("I27: prolongs a wait resumed by a later start to at most its original length", async () => {
    const first = startOf();
    const until = await untilLimited(first);
    const { clock } = first;
    clock.jump(-tenYearsMs);
    const next = startOf({ clock, records: first.made });
    await clock.drive(next.effects.wait(waitingUntil(until), never));
    expect(clock.elapsedMs()).toBe(hourMs);
    await clock.drive(next.effects.delegate(delegating(2), never));
    expect([clock.elapsedMs(), next.asked]).toEqual([hourMs, ["first"]]);
  });
});

describe("a wall clock that is set ahead ten years", () => {
  it("I27: ends a wait within a minute", async () => {
    const start = startOf();
    const { clock, effects } = start;
    const until = await untilLimited(start);
    clock.after(1000, () => clock.jump(tenYearsMs));
    await clock.drive(effects.wait(waitingUntil(until), never));
    expect(clock.elapsedMs()).toBe(61_000);
  });

  it.each([
    ["within a start", false],
    ["across two starts", true],
  ])("I15: does not count as time waited for an executor that gives no time: %s", async (_, again) => {
    const first = startOf({ untold: 2 });
    const { clock } = first;
    const read = async ({ effects }: typeof first, attempt: number, more: Partial<typeof reading> = {}) => {
      const key = `1.1#${attempt}` as const;
      await clock.drive(effects.delegate(delegating(attempt), never));
      await clock.drive(effects.verify({ ...verifying, key: `${key}/verify` }, never));
      const input = { ...reading, maxWait: hourMs, ...more, key: `${key}/readFailure` } as const;
      return await clock.drive(effects.readFailure(input, never));
    };
    const { until, since } = (await read(first, 1)) as { readonly until: number; readonly since: number };
    await clock.drive(first.effects.wait(waitingUntil(until), never));
    const next = again ? startOf({ clock, records: first.made, untold: 1 }) : first;
    clock.jump(tenYearsMs);
    const waiting = { reason: "rate-limit", since } as const;
    const told = await read(next, 2, { waits: 1, waiting });
    expect(told).toMatchObject({ kind: "rate-limit", since, until: clock.now() + 120_000 });
    await clock.drive(clock.wait(2 * hourMs));
    expect(await read(startOf({ clock, untold: 1 }), 1, { waits: 60, waiting })).toMatchObject({ until: null });
  });
});
