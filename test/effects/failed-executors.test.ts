import { describe, expect, it } from "vitest";
import { createRunMemory } from "../../src/effects/run-memory.ts";
import { withMemory } from "../../src/effects/with-memory.ts";
import type { EffectInput } from "../../src/model/effect.ts";
import type { Reply } from "../../src/model/reply.ts";
import type { Executors } from "../../src/ports/executor.ts";
import { memoryStore } from "../../src/testing/memory-store.ts";
import { failedReply, scriptedExecutor, stillClock } from "../../src/testing/scripted-ports.ts";
import { recordAnswer } from "../support/answered.ts";
import { inputs } from "../support/effect-inputs.ts";
import { memoryPorts } from "../support/memory-run.ts";
import { performing } from "../support/performing.ts";

const never = new AbortController().signal;
const now = 1_000_000;
const minute = 60_000;
const problem = (kind: "rate-limit" | "offline" | "auth", until?: number): Reply => ({
  ...{ text: "", exitCode: 1 },
  problem: { kind, message: "no answer", ...(until !== undefined && { until }) },
});
const act = { tool: "Bash", act: "npm test" };

async function read(
  said: Reply | string,
  {
    input = {} as Partial<EffectInput<"readFailure">>,
    executors = {} as Partial<Executors>,
    verify = "`check`",
    printed = "",
    isJudged = true,
    before = (_: ReturnType<typeof createRunMemory>): void => {},
    behind = (_: ReturnType<typeof createRunMemory>): void => {},
  } = {},
) {
  let elapsedMs = 0;
  const memory = createRunMemory({ open: 1, elapsedMs: () => elapsedMs });
  const shell = {
    exists: async () => true,
    run: async () => ({ exitCode: 1, stdout: printed, stderr: "", durationMs: 0, timedOut: false }),
  };
  const plan = `- [ ] 1.1 First\n  - **Files**: src/a.ts\n  - **Verify**: ${verify}\n`;
  const base = memoryPorts(memoryStore(plan), scriptedExecutor({ "1.1": [said] }), shell);
  const clock = stillClock(now);
  const ports = { ...base, clock, executors: { ...base.executors, ...executors }, attempts: memory };
  const effects = performing(withMemory(ports));
  before(memory);
  await effects.delegate(inputs.delegate("1.1"), never);
  if (isJudged) await effects.verify(inputs.verify("1.1"), never);
  behind(memory);
  const failure = await effects.readFailure({ ...inputs.readFailure("1.1"), ...input }, never);
  const pass = (ms: number): void => {
    elapsedMs += ms;
  };
  return { failure, memory, effects, pass };
}

const other = async (): Promise<string> => "TASK_COMPLETE";
const limited = (until: number) => async (): Promise<Reply> => problem("rate-limit", until);

describe("an executor that cannot work", () => {
  it("is waited for until the time it gives", async () => {
    const { failure } = await read(problem("rate-limit", now + 5 * minute));
    expect(failure).toMatchObject({ kind: "rate-limit", error: "no answer", until: now + 5 * minute, fallback: false });
    for (const field of ["blocked", "since", "signs"]) expect(failure).not.toHaveProperty(field);
  });

  it("is waited for by an estimate if it gives no time, with the start of the wait recorded", async () => {
    const { failure } = await read(problem("offline"), { input: { waits: 2 } });
    expect(failure).toMatchObject({ kind: "offline", until: now + 4 * minute, since: now });
    const later = await read(problem("offline"), {
      input: { waits: 1, waiting: { reason: "offline", since: now - 3 * minute } },
    });
    expect(later.failure).toMatchObject({ until: now + 2 * minute, since: now - 3 * minute });
    const another = await read(problem("offline"), { input: { waiting: { reason: "rate-limit", since: 5 } } });
    expect(another.failure).toMatchObject({ since: now });
  });

  it("is given up if it gives no time and the wait was too long", async () => {
    const waiting = { reason: "offline", since: now - minute } as const;
    const given = async (maxWait: number) =>
      (await read(problem("offline"), { input: { waits: 1, waiting, maxWait } })).failure;
    expect(await given(minute)).toMatchObject({ until: null });
    expect(await given(minute + 30_000)).toMatchObject({ until: now + 30_000 });
    expect(await given(10 * minute)).toMatchObject({ until: now + 2 * minute });
  });

  it("waits for a person if only one can help", async () => {
    const { failure } = await read(problem("auth"));
    expect(failure).toMatchObject({ kind: "auth", until: null, fallback: false });
    for (const field of ["blocked", "since"]) expect(failure).not.toHaveProperty(field);
  });

  it("is replaced at once by another of its chain that can work", async () => {
    const executor = [limited(now + 5 * minute), other] as const;
    const { failure } = await read("", { executors: { executor } });
    expect(failure).toMatchObject({ fallback: true, until: now + 5 * minute });
    expect(failure).not.toHaveProperty("blocked");
    const gone = async (): Promise<Reply> => problem("auth");
    const helped = await read("", { executors: { executor: [gone, other] } });
    expect(helped.failure).toMatchObject({ kind: "auth", fallback: true, until: null });
  });

  it("is waited for only until another of its chain can work", async () => {
    const executor = [limited(now + 5 * minute), other] as const;
    const { failure } = await read("", {
      executors: { executor },
      before: (memory) => {
        memory.record(
          [
            { ...inFlight("1.0#1"), executor: 1 },
            { type: "answered", effect: "readFailure", key: "1.0#1/readFailure", answer: until(now + minute) },
          ] as never,
          { at: now },
        );
      },
    });
    expect(failure).toMatchObject({ fallback: false, until: now + minute, blocked: now + 5 * minute });
  });

  it("is taken from the rung that led to the attempt", async () => {
    const rungs = { fix: other };
    const { failure } = await read(problem("rate-limit", now + minute), {
      ...{ executors: { rungs }, input: { rung: "fix" } },
    });
    expect(failure).toMatchObject({ fallback: true });
    expect((await read(problem("rate-limit", now + minute), { executors: { rungs } })).failure).toMatchObject({
      fallback: false,
    });
  });
});

const inFlight = (key: string) => ({
  ...{ type: "delegated", key, task: "1.0", role: "executor", attempt: 1, retries: 0, elapsedMs: 0 },
});
const until = (time: number) => ({ kind: "rate-limit", until: time });

describe("an action denied by the tool of an executor", () => {
  const denials = [act];
  const withheld = {
    ...{ kind: "permission", error: "Bash was not allowed: npm test", status: "Not allowed", until: null, denied: act },
  };

  it("is the failure of an attempt whose agent says that it could not continue", async () => {
    const rejected = { text: "It needs human eyes: I was not allowed to test\nTASK_COMPLETE", denials };
    expect((await read(rejected)).failure).toMatchObject(withheld);
    expect((await read({ text: failedReply("1.1", "cannot run the tests"), denials })).failure).toMatchObject(withheld);
    const unjudged = { text: "I need permission to write\nTASK_COMPLETE", denials };
    expect((await read(unjudged, { isJudged: false })).failure).toMatchObject(withheld);
  });

  it("is no failure the first time if the agent does not mention it", async () => {
    const { failure } = await read({ text: failedReply("1.1", "boom"), denials });
    expect(failure).toMatchObject({ kind: "task", error: "boom" });
  });

  it("is no failure if the executor could not work, or a reviewer found something", async () => {
    const service = await read({ ...problem("rate-limit", now + minute), denials });
    expect(service.failure).toMatchObject({ kind: "rate-limit", until: now + minute });
    const review = { verdict: "fail", code: "it leaks", spec: "", round: 1 } as const;
    const reviewed = await read(
      { text: "TASK_COMPLETE", denials },
      { behind: (memory) => recordAnswer(memory, "1.1#1/review", { kind: "failed", findings: "" }, { review }) },
    );
    expect(reviewed.failure).toMatchObject({ kind: "task", error: "it leaks" });
  });

  it("is no failure if a person was asked about it before", async () => {
    const { failure } = await read(
      { text: failedReply("1.1", "boom"), denials },
      { before: (memory) => recordAnswer(memory, "1.1#0/readFailure", withheld) },
    );
    expect(failure).toMatchObject({ kind: "task", error: "boom" });
  });
});

describe("a prompt that was too long", () => {
  const tooLong: Reply = {
    ...{ text: "", exitCode: 1, problem: { kind: "context-exhausted", message: "prompt is too long" } },
  };

  it("raises a question once it cannot be shortened further", async () => {
    const { failure } = await read(tooLong);
    expect(failure).toMatchObject({ kind: "context-exhausted", signs: expect.anything() });
    expect(failure).not.toHaveProperty("environment");
    expect((await read(tooLong, { input: { tooLong: 1 } })).failure).not.toHaveProperty("environment");
    const shortest = await read(tooLong, { input: { tooLong: 2 } });
    expect(shortest.failure).toMatchObject({
      environment: "even the shortest prompt is too long for the executor: prompt is too long",
      repeated: true,
    });
  });
});

describe("a check that fails in a file", () => {
  const printed = "lib/x.ts(1,2): error TS2304: Cannot find name 'one'.\n";
  const environment = async (verify: string) => (await read("TASK_COMPLETE", { verify, printed })).failure.environment;

  it.each([
    "`tsc lib/x.ts`",
    "`tsc ./lib/x.ts`",
    "`tsc ././lib/x.ts`",
    "`tsc --file='lib/x.ts'`",
    '`(cd lib/; tsc "$FILE")`',
    "`npm test && tsc lib/`",
    "`tsc lib/*.ts|cat`",
  ])("belongs to the task whose Verify names the file, or its folder: %s", async (verify) => {
    expect(await environment(verify)).toBeUndefined();
  });

  it.each(["`tsc lib`", "`tsc other/x.ts`", "`tsc 'a b'/lib/x.ts`", "`tsc ./`", "`tsc /`", "`tsc lib/x.ts:3`"])(
    "belongs to no task if no Verify names it: %s",
    async (verify) => {
      expect(await environment(verify)).toContain("checks fail in files that no task names");
    },
  );
});
