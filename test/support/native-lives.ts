import { type AnyActorRef, type AnyStateMachine, createActor, toPromise } from "xstate";
import { createBatchMachine } from "../../machines/batch.ts";
import { createRepairMachine } from "../../machines/repair.ts";
import { createSpecMachine } from "../../machines/spec.ts";
import { createTaskMachine } from "../../machines/task.ts";
import { createEffects, type Effects } from "../../src/effects/create-effects.ts";
import { createRunMemory } from "../../src/effects/run-memory.ts";
import type { RunEvent } from "../../src/model/event.ts";
import type { PolicyInput } from "../../src/model/policy.ts";
import type { QuestionTopic } from "../../src/model/question.ts";
import type { RunRecord } from "../../src/model/record.ts";
import type { Reply } from "../../src/model/reply.ts";
import type { RunState } from "../../src/model/run-state.ts";
import type { Executor } from "../../src/ports/executor.ts";
import type { PersonAnswer } from "../../src/ports/person.ts";
import { type MemoryStore, memoryStore } from "../../src/testing/memory-store.ts";
import { failedReply } from "../../src/testing/scripted-executor.ts";
import { scriptedShell } from "../../src/testing/scripted-shell.ts";
import { stillClock } from "../../src/testing/still-clock.ts";

/** An actor over stores in memory, to whom everybody answers by a script: the same whenever they are asked. */
export interface Life {
  readonly name: string;
  readonly machine: keyof typeof machines;
  readonly plan: string;
  readonly input: object;
  /** What executors, operators and reviewers answer, by key; others claim the task. */
  readonly answers?: Readonly<Record<string, string | Reply>>;
  readonly person?: Partial<Readonly<Record<QuestionTopic, PersonAnswer>>>;
}

export const machines = {
  task: createTaskMachine,
  repair: createRepairMachine,
  batch: createBatchMachine,
  spec: createSpecMachine,
} as const satisfies Readonly<Record<string, (effects?: Effects) => AnyStateMachine>>;

/** What lasts when a process ends: documents, records, and what was persisted of the actor. */
export interface Left {
  /** States and effects at that moment, by path. */
  readonly at: string;
  readonly persisted: string;
  readonly records: readonly string[];
  readonly documents: readonly string[];
  /** The plan as the run has left it. */
  readonly known: string | null;
}

const block = (id: string, title: string): string =>
  `- [ ] ${id} ${title}\n  - **Do**: Make ${id}\n  - **Files**: src/${id}.ts\n  - **Done when**: It is there\n  - **Verify**: \`check ${id}\`\n  - **Commit**: \`feat: ${id}\`\n`;
const planOf = (...blocks: readonly string[]): string => `# Tasks\n\n## Phase 1: Work\n\n${blocks.join("\n")}`;

/** The world of a life: fresh, or as it was left. */
export function worldOf(
  life: Life,
  {
    documents = [life.plan],
    records = [],
    state,
    known: text = null,
  }: Partial<Left> & { readonly state?: RunState } = {},
) {
  const known = { text };
  const [tasks, log, summary, members] = documents;
  const store = memoryStore(tasks as string, log);
  store.summary.text = summary ?? "";
  for (const [member, text] of JSON.parse(members ?? "[]") as [string, string][]) store.memberLogs.set(member, text);
  const kept = [...records];
  const memory = createRunMemory({
    ...{ open: 9, state },
    store: {
      append: (made) => kept.push(...made.map((record) => JSON.stringify(record))),
      writeOutput: () => {},
      readOutput: async () => "",
    },
  });
  for (const record of records) memory.apply(JSON.parse(record) as RunRecord);
  const answer: Executor = async ({ key, role }) =>
    life.answers?.[key] ??
    { executor: "TASK_COMPLETE", verifier: "VERIFICATION_PASS", reviewer: "REVIEW_PASS", operator: "" }[role];
  const effects = createEffects({
    executors: { executor: answer, verifier: answer, operator: answer, reviewer: answer },
    documents: store,
    shell: scriptedShell(),
    clock: stillClock(),
    consent: async () => ({ given: true }),
    person: async ({ about }) => life.person?.[about] ?? null,
    attempts: memory,
    known,
  });
  return { known, store, memory, records: kept, effects };
}

/** Run an actor to its end. @param onMoment Given what would be left, whenever a machine in it has taken a step. */
export async function live(
  life: Life,
  { known, store, records, effects }: ReturnType<typeof worldOf>,
  {
    snapshot,
    onMoment,
    machine = machines[life.machine](effects),
  }: { snapshot?: string; onMoment?: (left: Left) => void; machine?: AnyStateMachine } = {},
) {
  let isDue = false;
  const look = (): void => {
    isDue = false;
    if (actor.getSnapshot().status !== "active") return;
    onMoment?.({
      at: placesIn(actor).join(" "),
      persisted: JSON.stringify(actor.getPersistedSnapshot()),
      records: [...records],
      documents: textsIn(store),
      known: known.text,
    });
  };
  const actor = createActor(machine, {
    ...(snapshot === undefined ? {} : { snapshot: JSON.parse(snapshot) as never }),
    input: life.input,
    inspect: ({ type }) => {
      if (isDue || type !== "@xstate.snapshot") return;
      isDue = true;
      queueMicrotask(look);
    },
  });
  const events: RunEvent[] = [];
  actor.on("*", (event) => events.push(event as RunEvent));
  actor.subscribe({ error: () => {} });
  const outcome: unknown = await toPromise(actor.start());
  return { outcome, documents: textsIn(store), events };
}

const textsIn = ({ tasks, log, summary, memberLogs }: MemoryStore): string[] => [
  tasks.text,
  log.text,
  summary.text,
  JSON.stringify([...memberLogs]),
];

/** The states of the machines at work, and what their effects are asked. */
function placesIn(actor: AnyActorRef, path = ""): string[] {
  const { value, children, status, input } = actor.getSnapshot();
  if (status !== "active") return [];
  if (value === undefined) return [`${actor.src}!${(input as { key: string }).key}`];
  const below = Object.entries(children as Record<string, AnyActorRef>);
  return [
    `${path}${actor.src === undefined ? "" : ""}${String(value)}`,
    ...below.flatMap(([id, child]) => placesIn(child, `${path}${id}/`)),
  ];
}

const asking = (type: string, task: string, proposed: string, claim = ""): string =>
  `It is more than that.\nTASK_MODIFICATION_REQUEST\n\`\`\`json\n${JSON.stringify({
    ...{ type, originalTaskId: task, reasoning: "It is more than that" },
    proposedTasks: [proposed],
  })}\n\`\`\`\n${claim}`;
const fixing: PolicyInput = { recovery: ["fix"] };
const two = planOf(block("1.1", "First"), block("1.2", "Second"));
const batch = planOf(block("1.1", "[P] First"), block("1.2", "[P] Second"), block("1.3", "[VERIFY] All"));

/** Together they come through every state that waits, and every effect. */
export const lives: readonly Life[] = [
  {
    name: "fixes, one below the other",
    machine: "task",
    plan: two,
    input: { root: "1.1", policy: fixing },
    answers: { "1.1#1": failedReply("1.1", "boom"), "1.1.1#1": failedReply("1.1.1", "other") },
  },
  {
    name: "other tasks first, and a plan that goes on with them",
    machine: "spec",
    plan: two,
    input: { policy: fixing },
    answers: {
      "1.1#1": asking("ADD_PREREQUISITE", "1.1", block("1.1a", "Before")),
      "1.2#1": failedReply("1.2", "boom"),
    },
  },
  {
    name: "a review that finds something, and a wait",
    machine: "spec",
    plan: `${two}\n## Phase 2: More\n\n${block("2.1", "Third")}`,
    input: { policy: fixing },
    answers: {
      "1.2#1/review": "CODE: it leaks\nREVIEW_FAIL",
      "2.1#1": { text: "", exitCode: 1, problem: { kind: "rate-limit", message: "limit", until: 5000 } },
    },
  },
  {
    name: "parts, one repaired, one left out",
    machine: "task",
    plan: two,
    input: { root: "1.1", policy: { recovery: ["repair"], repairBudget: 3 } },
    answers: {
      "1.1#1": failedReply("1.1", "a"),
      "1.1~1#1": failedReply("1.1~1", "b"),
      "1.1~2#1": failedReply("1.1~2", "c"),
      "1.1#1/askOperator": "What?",
      "1.1#1/askAgain": "DECOMPOSE: read the lines | sort the fields | write the report",
      "1.1~1#1/askOperator": "RETRY: mind the line ends",
      "1.1~2#1/askOperator": "PRUNE: nothing is to be sorted",
    },
  },
  {
    name: "a checkpoint that a person answers",
    machine: "task",
    plan: two,
    input: {
      root: "1.1",
      policy: { recovery: ["pivot", "research", "checkpoint"], maxPivotAttempts: 1, maxResearchAttempts: 1 },
    },
    answers: Object.fromEntries([1, 2, 3].map((attempt) => [`1.1#${attempt}`, failedReply("1.1", `error ${attempt}`)])),
    person: { checkpoint: { kind: "guided", text: "Look again" } },
  },
  {
    name: "a gate at which a task is left out",
    machine: "spec",
    plan: two,
    input: { policy: { recovery: ["repair"], repairBudget: 0 } },
    answers: { "1.1#1": failedReply("1.1", "a") },
    person: { repair: { kind: "decided", decision: "skip" } },
  },
  {
    name: "a batch in a plan",
    machine: "spec",
    plan: batch,
    input: { policy: fixing },
    answers: { "1.1#1": failedReply("1.1", "a"), "1.2#1": failedReply("1.2", "b") },
  },
  {
    name: "a batch alone",
    machine: "batch",
    plan: batch,
    input: {
      turn: 1,
      policy: fixing,
      members: ["1.1", "1.2"].map((root) => ({ root, current: root, spent: {}, after: [] })),
    },
    answers: { "1.2#1": failedReply("1.2", "b") },
  },
  {
    name: "a limit, and what is cleaned up",
    machine: "spec",
    plan: planOf(block("1.1", "First"), block("VE3", "[VERIFY] E2E cleanup")),
    input: { policy: { recovery: ["retry"], maxTaskIterations: 1 } },
    answers: { "1.1#1": failedReply("1.1", "a") },
  },
  {
    name: "a repair alone",
    machine: "repair",
    plan: two,
    input: { task: "1.1", attempt: "1.1#1", budget: 2 },
    answers: { "1.1#1/askOperator": "What?", "1.1#1/askAgain": "RETRY: mind the line ends" },
  },
];
