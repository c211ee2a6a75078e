import { describe, expect, it } from "vitest";
import { readPlan } from "../../src/markdown/read-plan.ts";
import { EnvironmentError } from "../../src/model/errors.ts";
import type { RunEnded } from "../../src/model/event.ts";
import type { ChangeType } from "../../src/model/modification-request.ts";
import type { PolicyInput } from "../../src/model/policy.ts";
import type { TimedRunRecord } from "../../src/model/record.ts";
import type { Reply } from "../../src/model/reply.ts";
import type { ServiceProblem } from "../../src/model/service-problem.ts";
import type { Clock } from "../../src/ports/clock.ts";
import type { Documents } from "../../src/ports/documents.ts";
import type { Delegation, Executor } from "../../src/ports/executor.ts";
import type { Ports } from "../../src/ports/ports.ts";
import type { Shell } from "../../src/ports/shell.ts";
import { failedReply } from "../../src/testing/scripted-executor.ts";
import { scriptedShell } from "../../src/testing/scripted-shell.ts";
import { stillClock } from "../../src/testing/still-clock.ts";
import { delegationsIn, testKills, unanswered } from "../support/crash-points.ts";
import { goOn, type MemoryRun, newRun } from "../support/memory-run.ts";

/** What an executor sees: the plan as it stands, and the time. What it answers follows from these alone. */
interface World {
  readonly made: MemoryRun;
  readonly clock: Clock;
}

interface Scenario {
  readonly name: string;
  readonly plan: string;
  readonly progress?: string;
  readonly policy?: PolicyInput;
  readonly outcome?: string;
  readonly shell?: Shell;
  /** A reply, or null for one that claims the task. */
  readonly answer?: (delegation: Delegation, world: World) => Reply | string | null;
  /** The same for one that stands in for the first. */
  readonly standIn?: (delegation: Delegation, world: World) => Reply | string | null;
  readonly review?: (delegation: Delegation, world: World) => string;
  /** Killed twice as well. */
  readonly isTriedTwice?: boolean;
}

const fix = { recovery: ["fix" as const] };
const block = (id: string, title: string, file = id, checked = id): string =>
  `- [ ] ${id} ${title}\n  - **Do**: Make it\n  - **Files**: src/${file}.ts\n  - **Done when**: It is there\n  - **Verify**: \`check ${checked}\`\n  - **Commit**: \`feat: ${id}\`\n`;
const planOf = (...blocks: readonly string[]): string => `# Tasks\n\n## Phase 1: Work\n\n${blocks.join("\n")}`;

const tasksIn = ({ made }: World) => readPlan(made.store.tasks.text).tasks;
const stands = (world: World, task: string): boolean => tasksIn(world).some(({ id }) => id === task);
const fixesDone = (world: World, task: string): number =>
  tasksIn(world).filter(({ fixOf, done }) => fixOf === task && done).length;
/** Fails tasks until as many fixes of each are ticked. */
const failing =
  (fails: Readonly<Record<string, number>>): NonNullable<Scenario["answer"]> =>
  ({ taskId }, world) =>
    fixesDone(world, taskId) < (fails[taskId] ?? 0) ? failedReply(taskId, `boom in ${taskId}`) : null;
const asking = (type: ChangeType, task: string, proposed: readonly string[], claim = ""): string =>
  `It is more than that.\nTASK_MODIFICATION_REQUEST\n\`\`\`json\n${JSON.stringify({
    type,
    originalTaskId: task,
    reasoning: "It is more than that",
    proposedTasks: proposed,
  })}\n\`\`\`\n${claim}`;
/** Cannot work before a time. */
const blockedUntil =
  (time: number, problem: ServiceProblem): NonNullable<Scenario["answer"]> =>
  (_, { clock }) =>
    clock.now() < time ? { text: "", exitCode: 1, problem } : null;
const limited = (until: number) =>
  blockedUntil(until, { kind: "rate-limit", message: "You have hit your limit", until });

const singles = planOf(block("1.1", "First"), block("1.2", "Second"), block("1.3", "Third"));
const batched = planOf(
  block("1.1", "[P] First"),
  block("1.2", "[P] Second"),
  block("1.3", "[P] Third", "1.1"),
  block("1.4", "[VERIFY] All"),
  block("1.5", "Last"),
);

const scenarios: readonly Scenario[] = [
  {
    name: "a batch with members that fail",
    plan: batched,
    policy: fix,
    answer: failing({ "1.1": 1, "1.2": 2, "1.2.1": 1, "1.3": 1 }),
  },
  {
    name: "a batch with a member that is exhausted",
    plan: batched,
    policy: { ...fix, maxFixTasksPerOriginal: 1 },
    answer: failing({ "1.1": 1, "1.2": 9 }),
    outcome: "limit",
  },
  {
    name: "a task that is split",
    plan: singles,
    answer: ({ taskId }) =>
      taskId === "1.2"
        ? asking("SPLIT_TASK", "1.2", [block("1.2.1", "One half"), block("1.2.2", "Other half", "1.2.2", "1.2")])
        : null,
  },
  {
    name: "a task that is split by a repeated attempt",
    plan: singles,
    policy: fix,
    answer: (delegation, world) =>
      delegation.taskId === "1.2" && fixesDone(world, "1.2") > 0
        ? asking("SPLIT_TASK", "1.2", [block("1.2a", "One half"), block("1.2b", "Other half", "1.2b", "1.2")])
        : failing({ "1.2": 1, "1.2b": 1 })(delegation, world),
  },
  {
    name: "a task that needs another one first",
    plan: singles,
    policy: fix,
    answer: (delegation, world) =>
      delegation.taskId === "1.2" && !stands(world, "1.2a")
        ? asking("ADD_PREREQUISITE", "1.2", [block("1.2a", "What is needed")])
        : failing({ "1.2": 1, "1.2a": 1 })(delegation, world),
  },
  {
    name: "a task that something follows from",
    isTriedTwice: true,
    plan: singles,
    policy: fix,
    answer: (delegation, world) =>
      delegation.taskId === "1.2" && fixesDone(world, "1.2") > 0 && !stands(world, "1.2a")
        ? asking("ADD_FOLLOWUP", "1.2", [block("1.2a", "What follows")], "TASK_COMPLETE")
        : failing({ "1.2": 1, "1.2a": 1 })(delegation, world),
  },
  {
    name: "a request that is refused",
    plan: singles,
    answer: ({ taskId }, world) =>
      taskId === "1.2" && world.made.records.filter(isRefusal).length === 0
        ? asking("SPLIT_TASK", "1.2", [block("1.3", "Taken")], "TASK_COMPLETE")
        : null,
  },
  {
    name: "a member of a batch that needs another one first",
    plan: batched,
    answer: ({ taskId }, world) =>
      taskId === "1.2" && !stands(world, "1.2a")
        ? asking("ADD_PREREQUISITE", "1.2", [block("1.2a", "What is needed")])
        : null,
  },
  {
    name: "members of a batch that each need another one first",
    plan: batched,
    answer: ({ taskId }, world) =>
      ["1.1", "1.2"].includes(taskId) && !stands(world, `${taskId}a`)
        ? asking("ADD_PREREQUISITE", taskId, [block(`${taskId}a`, "[P] What is needed")])
        : null,
  },
  {
    name: "a member of a batch that is split",
    isTriedTwice: true,
    plan: batched,
    policy: fix,
    answer: (delegation, world) =>
      delegation.taskId === "1.1"
        ? asking("SPLIT_TASK", "1.1", [block("1.1a", "[P] One half"), block("1.1b", "[P] Other half", "1.1b", "1.1")])
        : failing({ "1.2": 1, "1.1b": 1 })(delegation, world),
  },
  {
    name: "an executor that has reached its limit",
    plan: singles,
    answer: limited(5000),
    policy: { maxTaskIterations: 1 },
  },
  { name: "members of a batch that wait", plan: batched, answer: limited(5000), policy: { maxTaskIterations: 1 } },
  {
    name: "an executor that is offline for a while",
    plan: singles,
    answer: blockedUntil(150_000, { kind: "offline", message: "getaddrinfo EAI_AGAIN" }),
    policy: { maxTaskIterations: 1 },
  },
  {
    name: "an executor that another stands in for",
    plan: singles,
    policy: fix,
    answer: limited(500_000),
    standIn: failing({ "1.2": 1 }),
  },
  {
    name: "an executor that another stands in for, for good",
    plan: singles,
    answer: blockedUntil(500_000, { kind: "auth", message: "Not logged in" }),
    standIn: () => null,
  },
  {
    name: "two executors that have both reached their limits",
    plan: singles,
    answer: limited(9000),
    standIn: limited(5000),
  },
  {
    name: "members of a batch that another executor stands in for",
    isTriedTwice: true,
    plan: batched,
    policy: fix,
    answer: limited(500_000),
    standIn: failing({ "1.2": 1 }),
  },
  {
    name: "a reviewer that finds something",
    isTriedTwice: true,
    plan: `${singles}\n## Phase 2: More\n\n${block("2.1", "Fourth")}\n${block("2.2", "Fifth")}`,
    policy: fix,
    review: ({ taskId }, world) =>
      fixesDone(world, taskId) === 0 ? "CODE: it leaks\nREVIEW_FAIL" : "SPEC: it is unclear\nREVIEW_FAIL",
  },
  {
    name: "an end-to-end check that is exhausted, and its cleanup",
    plan: planOf(
      block("1.1", "First"),
      block("VE1", "[VERIFY] E2E start"),
      block("VE2", "[VERIFY] E2E check"),
      block("VE3", "[VERIFY] E2E cleanup"),
    ),
    policy: { maxFixTasksPerOriginal: 1 },
    answer: failing({ VE2: 9 }),
    outcome: "limit",
  },
  {
    name: "a goal verification with a reality check",
    plan: planOf(block("1.1", "First"), block("VF", "[VERIFY] Goal verification")),
    progress: "# Progress\n\n## Reality Check (BEFORE)\n\n**Reproduction command**: `npm test`\n**Exit code**: 1\n",
  },
];

const isRefusal = (record: TimedRunRecord): boolean =>
  record.type === "answered" && (record.answer as { kind?: string }).kind === "refused";

/** Gives a scenario's world, and a way to go on in it. */
function begin({ plan, progress, policy = {}, shell = scriptedShell(), answer, standIn, review }: Scenario) {
  const world: World = { made: newRun(plan, progress), clock: stillClock() };
  const executorOf =
    (reply: NonNullable<Scenario["answer"]> = () => null): Executor =>
    async (delegation) => {
      // Members of a batch end at different times.
      for (let left = Number(delegation.taskId.at(-1)) * 3 || 0; left > 0; left--) await Promise.resolve();
      return reply(delegation, world) ?? (delegation.role === "verifier" ? "VERIFICATION_PASS" : "TASK_COMPLETE");
    };
  const first = executorOf(answer);
  const chain = standIn === undefined ? first : ([first, executorOf(standIn)] as const);
  const ports: Partial<Ports> = {
    executors: {
      executor: chain,
      verifier: chain,
      ...(review !== undefined && { reviewer: async (delegation) => review(delegation, world) }),
    },
    clock: world.clock,
    consent: async () => ({ given: true }),
  };
  return {
    ...world.made,
    start: (killedAt?: number): Promise<RunEnded | null> =>
      goOn(world.made, first, { policy, shell, ports, ...(killedAt !== undefined && { killedAt }) }),
  };
}

/** What is wrong with the records of a run, wherever it was killed. */
function violationsIn(records: readonly TimedRunRecord[]): string[] {
  const passed = new Set<string>();
  const made: string[] = [];
  const found: string[] = [];
  let batch: readonly string[] = [];
  const broken = new Set<string>();
  for (const record of records) {
    if (record.type === "answered") {
      const { kind, members } = record.answer as { kind?: string; members?: readonly { root: string }[] };
      if (record.key.endsWith("/chooseTask")) {
        batch = members?.map(({ root }) => root) ?? [];
        found.push(...batch.filter((id) => broken.has(id)).map((id) => `${id} was batched again`));
      }
      if (kind === "replanned") for (const id of batch) broken.add(id);
    }
    if (record.type === "answered" && record.key.endsWith("/recordPass")) {
      if ((record.answer as { open?: boolean }).open !== true)
        passed.add(record.key.slice(0, record.key.lastIndexOf("#")));
    } else if (record.type === "delegated" && passed.has(record.task)) {
      found.push(`${record.key} was delegated after it had passed`);
    } else if (record.type === "intended") {
      made.push(record.fix.id);
    } else if (record.type === "planned") {
      made.push(...record.plan.tasks.map(({ id }) => id));
    }
  }
  return [...found, ...made.filter((id, index) => made.indexOf(id) < index).map((id) => `${id} was made twice`)];
}

/** What a run ended as: all but the number of its delegations. */
const endOf = (ended: RunEnded | null) => ended && { ...ended, attempts: 0 };

/** The run without a kill, and what must hold of one that was killed before each of these records. */
async function undisturbed(scenario: Scenario) {
  const whole = begin(scenario);
  const expected = await whole.start();
  expect(expected?.outcome).toBe(scenario.outcome ?? "complete");
  expect(violationsIn(whole.records)).toEqual([]);
  const usual = delegationsIn(whole.records).length;
  /** Whether there was a record for each of the kills. */
  const survives = async (kills: readonly number[]): Promise<boolean> => {
    const made = begin(scenario);
    let repeats = 0;
    for (const kill of kills) {
      if ((await made.start(kill)) !== null) return false;
      repeats += unanswered(made.records);
    }
    const ended = await made.start();
    expect({
      ended: endOf(ended),
      tasks: made.store.tasks.text,
      progress: made.store.log.text,
      logs: [...made.store.memberLogs],
      violations: violationsIn(made.records),
      surplus: Math.max(0, delegationsIn(made.records).length - usual - repeats),
      kills,
    }).toEqual({
      ended: endOf(expected),
      tasks: whole.store.tasks.text,
      progress: whole.store.log.text,
      logs: [],
      violations: [],
      surplus: 0,
      kills,
    });
    return true;
  };
  return { survives, moments: whole.records.length };
}

testKills(scenarios, undisturbed, { step: 3, firsts: 3, stride: 53, moments: 8 });

describe("a plan that others edit at the same moment", () => {
  /** Documents of which every edit is refused as often as is said. */
  const contested = ({ store }: MemoryRun, times: number): Documents => {
    let left = times;
    const refuse = (): void => {
      if (left-- > 0) throw new EnvironmentError("Cannot write", { code: "plan-changed-underneath" });
      left = times;
    };
    return {
      ...store,
      insert: async (made) => {
        refuse();
        return store.insert(made);
      },
      tick: async (task, done) => {
        refuse();
        return store.tick(task, done);
      },
    };
  };

  it.each([
    [9, "complete"],
    [10, "environment"],
  ])("is edited anew: %i times", async (times, outcome) => {
    const made = newRun(singles);
    const world: World = { made, clock: stillClock() };
    const fails = failing({ "1.2": 1 });
    const executor: Executor = async (delegation) => fails(delegation, world) ?? "TASK_COMPLETE";
    const ended = await goOn(made, executor, { policy: fix, ports: { documents: contested(made, times) } });
    expect(ended?.outcome).toBe(outcome);
  });
});
