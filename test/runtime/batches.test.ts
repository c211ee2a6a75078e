import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createActor, toPromise } from "xstate";
import { createSpecMachine } from "../../machines/spec.ts";
import { createEffects } from "../../src/effects/create-effects.ts";
import { readPlan } from "../../src/markdown/read-plan.ts";
import type { Delegation, Executor } from "../../src/ports/executor.ts";
import { failedReply, scriptedExecutor } from "../../src/testing/scripted-executor.ts";
import { delegatedIn, goOn, type MemoryRun, memoryPorts, newRun } from "../support/memory-run.ts";
import { prop } from "../support/prop.ts";

const block = (id: string, marker: string, file: string): string =>
  `- [ ] ${id}${marker} Make ${file}\n  - **Files**: src/${file}\n  - **Verify**: \`check ${id}\`\n`;
const plan = `# Tasks

## Phase 1: Make it work

${block("1.1", " [P]", "a.ts")}
${block("1.2", " [P]", "b.ts")}
${block("1.3", " [P]", "a.ts")}
${block("1.4", " [P]", "d.ts")}
${block("1.5", " [VERIFY]", "all.ts")}
${block("1.6", " [P]", "f.ts")}
## Phase 2: Check

${block("2.1", " [P]", "g.ts")}
${block("2.2", "", "h.ts")}`;
const fix = { recovery: ["fix" as const] };
const answerOf = ({ role }: Delegation): string => (role === "verifier" ? "VERIFICATION_PASS" : "TASK_COMPLETE");
const memberOf = ({ progressFile }: Delegation): string | undefined =>
  /\.progress-task-(.*)\.md$/.exec(progressFile)?.[1];

/** Executors that fail each task as often as is said, and write what they have learned where they are told to. */
function working(made: MemoryRun, failures: Readonly<Record<string, number>>, ticksOwn = false): Executor {
  const left: Record<string, number> = { ...failures };
  return async (delegation) => {
    const { taskId } = delegation;
    const member = memberOf(delegation);
    const { memberLogs } = made.store;
    if (member !== undefined) memberLogs.set(member, `${memberLogs.get(member) ?? ""}- learned in ${taskId}\n`);
    const { tasks } = made.store;
    if (ticksOwn) tasks.text = tasks.text.replace(`- [ ] ${taskId} `, `- [x] ${taskId} `);
    const failing = (left[taskId] ?? 0) > 0;
    left[taskId] = (left[taskId] ?? 0) - 1;
    return failing ? failedReply(taskId, `boom in ${taskId}`) : answerOf(delegation);
  };
}

/** What is done at the same time. */
function watched(execute: Executor): Executor & { readonly running: Set<Delegation>; readonly most: Delegation[][] } {
  const running = new Set<Delegation>();
  const most: Delegation[][] = [];
  const watching: Executor = async (delegation, signal, progress) => {
    running.add(delegation);
    most.push([...running]);
    try {
      return await execute(delegation, signal, progress);
    } finally {
      running.delete(delegation);
    }
  };
  return Object.assign(watching, { running, most });
}

const failures = fc.record({
  "1.1": fc.nat(2),
  "1.2": fc.nat(2),
  "1.3": fc.nat(2),
  "1.4": fc.nat(2),
  "1.2.1": fc.nat(1),
  "2.1": fc.nat(1),
});

describe("a batch", () => {
  it("works on [P] tasks side by side, those that share a file one after the other", async () => {
    const made = newRun(plan);
    const executor = watched(working(made, {}));
    expect((await goOn(made, executor))?.outcome).toBe("complete");
    expect(delegatedIn(made)).toEqual(["1.1", "1.2", "1.4", "1.3", "1.5", "1.6", "2.1", "2.2"]);
    expect(executor.most[2]?.map(({ taskId }) => taskId)).toEqual(["1.1", "1.2", "1.4"]);
    expect(made.events.filter(({ type }) => type.startsWith("group"))).toEqual([
      { type: "group.started", tasks: ["1.1", "1.2", "1.3", "1.4"] },
      { type: "group.ended", tasks: ["1.1", "1.2", "1.3", "1.4"] },
    ]);
  });

  it("merges what its members wrote, in the order of the plan", async () => {
    const made = newRun(plan);
    await goOn(made, working(made, { "1.2": 1 }), { policy: fix });
    expect(made.store.memberLogs.size).toBe(0);
    const log = made.store.log.text;
    expect(log).toContain(
      ["1.1 Make a.ts", "1.2.1 Fix: boom in 1.2", "1.2 Make b.ts", "1.3 Make a.ts", "1.4 Make d.ts"]
        .map((line) => `- [x] ${line}\n`)
        .join(""),
    );
    expect(log).toContain("- learned in 1.1\n- learned in 1.2\n- learned in 1.2.1\n- learned in 1.3\n");
    expect(log).toContain("- Task 1.2: 1 fix attempted (1.2.1) - Final: PASS");
  });

  it("finishes the others when one is exhausted, and later goes on with that one alone", async () => {
    const made = newRun(plan);
    const executor = scriptedExecutor({ "1.2": [failedReply("1.2", "a"), failedReply("1.2", "b")] });
    const ended = await goOn(made, executor, { policy: { maxTaskIterations: 2 } });
    expect(ended).toMatchObject({ outcome: "limit", exitCode: 1 });
    expect(ended?.error).toContain("Max retries reached for task 1.2 after 2 attempts\nLast error: b");
    const done = readPlan(made.store.tasks.text).tasks.filter((task) => task.done);
    expect(done.map(({ id }) => id)).toEqual(["1.1", "1.3", "1.4"]);
    expect(made.store.log.text).toContain("- [x] 1.4 Make d.ts");
  });

  it("merges the log of a member that passes later, on its own", async () => {
    const made = newRun(plan);
    const work = working(made, { "1.2": 1 });
    await goOn(made, work, { policy: { maxTaskIterations: 1 } });
    expect([...made.store.memberLogs.keys()]).toEqual(["1.2"]);
    await goOn({ ...made, records: [] }, work);
    expect(made.store.memberLogs.size).toBe(0);
    expect(made.store.log.text).toContain("- learned in 1.2\n");
  });

  it("does everything one by one when told to", async () => {
    const made = newRun(plan);
    const executor = watched(working(made, {}));
    await goOn(made, executor, { policy: { maxParallel: 1 } });
    expect(delegatedIn(made)).toEqual(["1.1", "1.2", "1.3", "1.4", "1.5", "1.6", "2.1", "2.2"]);
    expect(Math.max(...executor.most.map(({ length }) => length))).toBe(1);
  });

  it("accepts the ticks of members in whatever order they come, and takes others back", async () => {
    const made = newRun(plan);
    const tick = (id: string): void => {
      made.store.tasks.text = made.store.tasks.text.replace(`[ ] ${id}`, `[x] ${id}`);
    };
    const executor = scriptedExecutor({
      "1.1": [
        (delegation) => {
          for (const id of ["1.1", "1.2"]) tick(id);
          return answerOf(delegation);
        },
      ],
      "1.4": [
        (delegation) => {
          for (const id of ["1.4", "2.2"]) tick(id);
          return answerOf(delegation);
        },
      ],
    });
    expect((await goOn(made, executor))?.outcome).toBe("complete");
    expect(made.events.filter(({ type }) => type === "task.rejected")).toMatchObject([
      { task: "1.1", layer: "checkmarks", reason: "checkmark mismatch: expected 1.1, found 1.1, 2.2" },
    ]);
    expect(delegatedIn(made)).toContain("2.2");
  });

  it("runs natively as it does stepwise", async () => {
    const made = newRun(plan);
    await goOn(made, working(made, { "1.2": 1, "1.3": 1 }), { policy: fix });
    const native = newRun(plan);
    const ports = memoryPorts(native.store, working(native, { "1.2": 1, "1.3": 1 }));
    const actor = createActor(createSpecMachine(createEffects(ports)), { input: { policy: fix } });
    actor.start();
    expect(await toPromise(actor)).toEqual({ kind: "complete" });
    expect(native.store.tasks.text).toBe(made.store.tasks.text);
    expect(native.store.log.text).toBe(made.store.log.text);
  });
});

/** Each is a run of eight tasks or more; the campaign `interleavings` makes thousands. */
const few = 15;

describe("a batch, for every order in which its members end", () => {
  prop(
    "I25: leaves the same bytes",
    [failures, fc.integer({ min: 2, max: 5 }), fc.boolean(), fc.scheduler()],
    async (fails, maxParallel, ticksOwn, scheduler) => {
      const policy = { ...fix, maxParallel, requireExecutorTick: ticksOwn };
      const straight = newRun(plan);
      const expected = await goOn(straight, working(straight, fails, ticksOwn), { policy });
      const made = newRun(plan);
      const work = working(made, fails, ticksOwn);
      const ended = await scheduler.waitFor(
        goOn(
          made,
          async (delegation, signal, progress) =>
            scheduler.schedule(Promise.resolve(await work(delegation, signal, progress))),
          {
            policy,
          },
        ),
      );
      expect(ended).toEqual(expected);
      expect(made.store.tasks.text).toBe(straight.store.tasks.text);
      expect(made.store.log.text).toBe(straight.store.log.text);
      expect(made.store.memberLogs).toEqual(straight.store.memberLogs);
    },
    few,
  );

  prop(
    "I25: never does a task again that has passed",
    [failures, fc.scheduler()],
    async (fails, scheduler) => {
      const made = newRun(plan);
      const work = working(made, fails);
      const passed = new Set<string>();
      const executor: Executor = async (delegation, signal, progress) => {
        for (const event of made.events) if (event.type === "task.passed") passed.add(event.task);
        expect(passed).not.toContain(delegation.taskId);
        return scheduler.schedule(Promise.resolve(await work(delegation, signal, progress)));
      };
      await scheduler.waitFor(goOn(made, executor, { policy: fix }));
    },
    few,
  );

  prop(
    "I8: has no more executors at work than allowed, one for each task, and a verifier alone",
    [failures, fc.integer({ min: 1, max: 5 }), fc.scheduler()],
    async (fails, maxParallel, scheduler) => {
      const made = newRun(plan);
      const work = working(made, fails);
      const executor = watched(async (delegation, signal, progress) =>
        scheduler.schedule(Promise.resolve(await work(delegation, signal, progress))),
      );
      await scheduler.waitFor(goOn(made, executor, { policy: { ...fix, maxParallel } }));
      for (const running of executor.most) {
        expect(running.length).toBeLessThanOrEqual(maxParallel);
        const trees = running.map(({ taskId }) => taskId.split(".").slice(0, 2).join("."));
        expect(new Set(trees).size).toBe(trees.length);
        expect(trees.includes("1.1") && trees.includes("1.3")).toBe(false);
        if (running.some(({ role }) => role === "verifier")) expect(running).toHaveLength(1);
      }
    },
    few,
  );

  prop(
    "I15: ends the same wherever it is killed, with a delegation more for each member that was at work",
    [failures, fc.array(fc.nat(40), { maxLength: 4 }), fc.scheduler()],
    async (fails, kills, scheduler) => {
      const whole = newRun(plan);
      await goOn(whole, looking(whole, fails), { policy: fix });
      const made = newRun(plan);
      const execute: Executor = async (delegation, signal, progress) =>
        scheduler.schedule(Promise.resolve(await looking(made, fails)(delegation, signal, progress)));
      const starts = [...[...kills].sort((a, b) => a - b), Number.POSITIVE_INFINITY];
      await scheduler.waitFor(
        (async () => {
          for (const killedAt of starts) if ((await goOn(made, execute, { policy: fix, killedAt })) !== null) break;
        })(),
      );
      expect(made.store.tasks.text).toBe(whole.store.tasks.text);
      expect(made.store.log.text).toBe(whole.store.log.text);
    },
    few,
  );

  /** Fails a task until as many fixes of it are ticked as is said, as an executor does that looks at its work. */
  const looking =
    (made: MemoryRun, fails: Readonly<Record<string, number>>): Executor =>
    async (delegation) => {
      const { taskId } = delegation;
      const { tasks } = readPlan(made.store.tasks.text);
      const fixed = tasks.filter(({ fixOf, done }) => fixOf === taskId && done).length;
      return fixed < (fails[taskId] ?? 0) ? failedReply(taskId, `boom in ${taskId}`) : answerOf(delegation);
    };
});
