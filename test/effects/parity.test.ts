import * as fc from "fast-check";
import { describe, expect } from "vitest";
import { createSpecMachine } from "../../machines/spec.ts";
import { createRunMemory, type RunMemory } from "../../src/effects/run-memory.ts";
import type { Escalation } from "../../src/model/escalation.ts";
import type { RunEnded } from "../../src/model/event.ts";
import { Policy, type PolicyInput } from "../../src/model/policy.ts";
import type { RunRecord, TimedRunRecord } from "../../src/model/record.ts";
import { type Reply, taskOf } from "../../src/model/reply.ts";
import type { RunState } from "../../src/model/run-state.ts";
import type { Rung } from "../../src/model/rung.ts";
import type { TaskContext } from "../../src/model/task-context.ts";
import type { Executor } from "../../src/ports/executor.ts";
import type { PersonAnswer } from "../../src/ports/person.ts";
import type { Ports } from "../../src/ports/ports.ts";
import { apply } from "../../src/run/apply.ts";
import { newRun as newState } from "../../src/run/new-run.ts";
import { currentTurn, replayTurn } from "../../src/runtime/replay.ts";
import { createRunControl, type Heard } from "../../src/runtime/run-control.ts";
import { report, start } from "../../src/runtime/step.ts";
import type { StepState } from "../../src/runtime/step-state.ts";
import { asksPerson } from "../../src/runtime/walk.ts";
import { failedReply } from "../../src/testing/scripted-executor.ts";
import { goOn, type MemoryRun, newRun } from "../support/memory-run.ts";
import { prop } from "../support/prop.ts";

const plan = `- [ ] 1.1 First
  - **Verify**: \`check 1.1\`
- [ ] 1.2 [P] Second
  - **Verify**: \`check 1.2\`
- [ ] 1.3 [P] Third
  - **Verify**: \`check 1.3\`
`;

const escalation: readonly Rung[] = ["pivot", "research", "checkpoint"];
const ladders: readonly Rung[][] = [
  ["retry", ...escalation],
  ["fix", ...escalation],
  ["repair"],
  ["fix", "repair"],
  ["retry", "fix", "repair", ...escalation],
  ["repair", ...escalation],
];
const policies: fc.Arbitrary<PolicyInput> = fc.record({
  recovery: fc.constantFrom(...ladders),
  maxTaskIterations: fc.integer({ min: 1, max: 3 }),
  maxFixTasksPerOriginal: fc.nat(2),
  maxFixTaskDepth: fc.nat(2),
  repairBudget: fc.nat(3),
  maxPivotAttempts: fc.nat(2),
  maxResearchAttempts: fc.nat(2),
  maxParallel: fc.constantFrom(1, 5),
});

type Attempt = "claim" | "reject" | "fail" | "same" | "lost" | "limited" | "guide" | "pause";
const attempts = fc.array(
  fc.constantFrom<Attempt>("claim", "reject", "fail", "same", "same", "lost", "limited", "guide", "pause"),
  { minLength: 5, maxLength: 40 },
);
const directives = fc.array(
  fc.constantFrom(
    "RETRY: as $n",
    "RETRY: as $n",
    "DECOMPOSE: one $n | two $n",
    "PRUNE: as $n",
    "ESCALATE: $n",
    "-",
    "!",
  ),
  { maxLength: 20 },
);
const persons = fc.array(
  fc.constantFrom<PersonAnswer | null>(
    null,
    { kind: "decided", decision: "retry" },
    { kind: "decided", decision: "skip" },
    { kind: "guided", text: "Look there" },
    { kind: "guided", text: "" },
  ),
  { maxLength: 8 },
);

interface Script {
  readonly policy: PolicyInput;
  readonly attempts: readonly Attempt[];
  readonly directives: readonly string[];
  readonly persons: readonly (PersonAnswer | null)[];
  readonly kills: readonly number[];
}
const scripts: fc.Arbitrary<Script> = fc.record({
  policy: policies,
  attempts,
  directives,
  persons,
  kills: fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 3 }),
});

/** Run a script, some starts of which are killed, and show what is recorded before each record. */
async function play(
  script: Script,
  look: (records: readonly TimedRunRecord[], memory: Pick<RunMemory, "state" | "held">) => void,
): Promise<MemoryRun> {
  const made = newRun(plan);
  const left = [...script.attempts];
  const directed = [...script.directives];
  const answers = [...script.persons];
  const onRecords = (_: unknown, memory: RunMemory): void => look(made.records, memory);
  let control: Heard;
  let n = 0;
  const limited = (): Reply => ({
    text: "",
    exitCode: 1,
    problem: { kind: "rate-limit", message: "later", until: ++n },
  });
  const executor: Executor = async ({ taskId }) => {
    const attempt = left.shift() ?? "claim";
    const usage = { inputTokens: 1, outputTokens: 2, costUsd: 1 };
    if (attempt === "limited") return { ...limited(), usage };
    if (attempt === "guide") control.send({ type: "guidance.given", text: `advice ${n++}` });
    if (attempt === "pause") for (const type of ["pause", "resume"] as const) control.send({ type });
    const said = {
      ...{ claim: "TASK_COMPLETE", reject: "It needs human eyes\nTASK_COMPLETE", same: failedReply(taskId, "same") },
      lost: `${failedReply(taskId, "lost")}\nI don't know how to go on.`,
      fail: `${failedReply(taskId, `boom ${n++}`)}\nTrying: way ${n}\nFound: fact ${n}`,
    };
    return { text: attempt in said ? said[attempt as "claim"] : said.fail, usage };
  };
  const operator: Executor = async () => {
    const told = directed.shift() ?? "ESCALATE: all";
    if (told === "!") return limited();
    return { text: told.replaceAll("$n", String(n++)), usage: { costUsd: 1 } };
  };
  const ports: Partial<Ports> = {
    executors: { executor, verifier: executor, operator },
    person: async () => answers.shift() ?? null,
    fileState: async () => `state ${Math.floor(n / 4)}`,
  };
  let asksAgain = false;
  for (const kill of [...script.kills, undefined, undefined, undefined]) {
    control = createRunControl();
    const killedAt = kill === undefined ? Number.POSITIVE_INFINITY : made.records.length + kill;
    const options = { policy: script.policy, ports, asksAgain, heard: control, onRecords, killedAt };
    const ended: RunEnded | null = await goOn(made, executor, options);
    asksAgain = ended !== null;
    if (ended !== null && ended.outcome !== "gate" && ended.outcome !== "checkpoint") break;
  }
  return made;
}

/** Each is a run of up to forty attempts. */
const few = 35;

describe("the state of a run, whatever happens in it", () => {
  prop(
    "I18: is live what its records come to when they are read again",
    [scripts],
    async (script) => {
      const read = newState(1);
      let applied = 0;
      await play(script, (records, memory) => {
        for (; applied < records.length; applied += 1) apply(read, records[applied] as TimedRunRecord);
        const now = plain(read) as RunState;
        for (const record of plain(memory.held) as RunRecord[]) apply(now, record);
        expect(plain(memory.state)).toEqual(plain(now));
      });
      expect(applied).toBeGreaterThan(0);
    },
    few,
  );

  prop(
    "I16, I18: count as the task machine does, kills and batches included",
    [scripts],
    async (script) => {
      const { records } = await play(script, () => {});
      expect(divergences(records, script.policy)).toEqual([]);
    },
    few,
  );
});

const plain = (each: object): unknown => JSON.parse(JSON.stringify(each));

const machine = createSpecMachine();

/** Where the machine, when it is given the records one by one, counts other than the state of the run does. */
function divergences(records: readonly TimedRunRecord[], input: PolicyInput): string[] {
  const policy = Policy.parse(input);
  const memory = createRunMemory({ open: 1 });
  const found: string[] = [];
  let turn = 0;
  let state: StepState | null = null;
  for (const [index, record] of records.entries()) {
    if (record.type === "said" && state !== null) {
      const ofTurn = currentTurn(records.slice(0, index + 1)).filter((each) => !asksPerson(each));
      state = replayTurn({ policy, turn }, ofTurn);
    }
    if (record.type === "answered") {
      const { effect } = record;
      if (effect === "chooseTask") state = start(machine, { policy, turn: ++turn }).state;
      // A question that stops a start is put again by the next.
      const isAnswered = state !== null && !asksPerson(record);
      const context = isAnswered ? contextOf(state as StepState, taskOf(record.key)) : undefined;
      const isDenied = (record.answer as { kind?: string }).kind === "denied";
      // A checkpoint counts when its report is written.
      if (context !== undefined && !isDenied && effect !== "writeStuckReport") {
        found.push(...differences(record.key, context, memory));
      }
      if (isAnswered) state = report(machine, state as StepState, record.key, record.answer as never).state;
    }
    memory.apply(record);
  }
  return found;
}

/** What the machine that works on a task keeps. */
const contextOf = ({ nodes }: StepState, task: string): TaskContext | undefined =>
  Object.values(nodes)
    .map(({ context }) => context as Partial<TaskContext>)
    .find((context): context is TaskContext => context.escalation !== undefined && context.current === task);

function differences(key: string, { root, spent, escalation }: TaskContext, memory: RunMemory): string[] {
  // That a person was asked in vain only the state of the run tells.
  const counted = (each: Escalation): string => JSON.stringify({ ...each, asked: false });
  const told: string[] = [];
  if (counted(escalation) !== counted(memory.escalation(root))) {
    told.push(`${key}: ${counted(escalation)} is ${counted(memory.escalation(root))} in the state of the run`);
  }
  // A fix counts when it is intended, parts that are put together when they are.
  if (/\/(?:insertFix|gatherParts)$/.test(key)) return told;
  try {
    expect(plain(memory.spent(root))).toMatchObject(plain(spent) as object);
  } catch (error) {
    told.push(`${key}: ${String(error)}`);
  }
  return told;
}
