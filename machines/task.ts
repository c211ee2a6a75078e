import type { Effects } from "../src/effects/create-effects.ts";
import { noEscalation } from "../src/model/escalation.ts";
import type { PersonEvent } from "../src/model/person-event.ts";
import { readPolicy } from "../src/model/policy.ts";
import type { TaskContext } from "../src/model/task-context.ts";
import type { TaskOutcome } from "../src/model/task-outcome.ts";
import { recallFailure } from "../src/recover/recall-failure.ts";
import { asActor } from "./as-actor.ts";
import { checkInput } from "./check-input.ts";
import type { EffectActors, Machine } from "./machine-type.ts";
import type { RepairMachine } from "./repair.ts";
import { endings } from "./task-endings.ts";
import type { TaskEmitted } from "./task-events.ts";
import { type TaskInput, taskInput } from "./task-input.ts";
import { remedyStates, said } from "./task-remedies.ts";
import { requests } from "./task-requests.ts";
import { taskSetup } from "./task-setup.ts";
import { otherwise, when } from "./when.ts";

type TaskState =
  | (
      | "starting"
      | "ready"
      | "paused"
      | "delegating"
      | "changingPlan"
      | "verifying"
      | "reviewing"
      | "parsing"
      | "waiting"
    )
  | ("recordingPass" | "checkingLimit" | "insertingFix" | "repairing" | "betweenParts" | "assembling" | "pivoting")
  | ("researching" | "reporting" | "atCheckpoint" | "askingPerson" | "skipping")
  | ("passed" | "replanned" | "pruned" | "exhausted" | "checkpoint" | "gated" | "cancelled");

type TaskEffect =
  | ("delegate" | "verify" | "changePlan" | "review" | "readFailure" | "wait" | "insertFix" | "recordPass")
  | ("gatherParts" | "recordSkip" | "writeStuckReport" | "askPerson");

export type TaskMachine = Machine<
  {
    context: TaskContext;
    event: PersonEvent;
    state: TaskState;
    tag: "busy" | "waiting" | "waitingForPerson" | "settled";
    input: TaskInput;
    output: TaskOutcome;
    emitted: TaskEmitted;
  },
  EffectActors<TaskEffect> & { readonly repair: RepairMachine }
>;

/**
 * The chart of one planned task and of all fixes below it. Without effects each of them throws, which is enough for
 * the step function, for tests and for diagrams.
 *
 * @see docs/machines.md
 */
export const createTaskMachine = (effects?: Effects): TaskMachine => {
  const chart = taskSetup(effects);
  const machine = chart.createMachine({
    id: "task",
    description: "One planned task, from its first delegation to a settled outcome, with all fixes made for it.",
    context: ({ input: given }) => {
      const input = checkInput("task", taskInput, given);
      const question = input.question === undefined ? null : ({ about: "blocked", text: input.question } as const);
      const before = input.escalation ?? noEscalation;
      const left = {
        current: input.current ?? input.root,
        spent: input.spent ?? {},
        policy: readPolicy(input.policy),
        escalation: question === null ? before : { ...before, asked: true },
      };
      const { level, asked } = left.escalation;
      const isRepaired = input.repaired === true && level === "normal" && !asked;
      return {
        ...left,
        root: input.root,
        grouped: input.grouped ?? false,
        keepOpen: input.keepOpen ?? false,
        guidance: input.guidance ?? null,
        paused: input.paused ?? false,
        remedy: isRepaired ? "fix" : null,
        decided: null,
        repairs: [...(input.repairs ?? [])],
        attemptLevel: "normal",
        leftOut: [],
        question,
        unverified: false,
        failure: isRepaired ? null : recallFailure(left),
        rejection: null,
      };
    },
    initial: "starting",
    on: {
      cancel: ".cancelled",
      pause: { actions: "pause" },
      resume: { actions: "resume" },
      "guidance.given": { actions: { type: "recordGuidance", params: said } },
    },
    states: {
      starting: {
        description:
          "What was attempted before, and not repaired, goes on within its limits; an open question is put again.",
        always: [{ guard: "attempted", target: "checkingLimit" }, { target: "ready" }],
      },
      ready: {
        description:
          "The next delegation may begin, unless the run is paused or the cap on failed attempts is reached.",
        always: [
          { guard: "paused", target: "paused" },
          { guard: "totalReached", target: "checkingLimit" },
          { target: "delegating" },
        ],
      },
      paused: {
        description: "A person has paused the run.",
        tags: "waiting",
        on: { resume: { target: "ready", actions: "resume" } },
      },
      delegating: {
        description: "The executor works on the current task: the planned one, or a fix or a part below it.",
        tags: "busy",
        entry: "countAttempt",
        invoke: {
          id: "delegate",
          src: "delegate",
          input: requests.delegate,
          onDone: [when("denied", "exhausted"), when("requested", "changingPlan"), otherwise("verifying")],
        },
      },
      changingPlan: {
        description: "The executor asks for other tasks: they are checked and written into the plan.",
        tags: "busy",
        invoke: {
          id: "changePlan",
          src: "changePlan",
          input: requests.changePlan,
          onDone: [
            when("replanned", "replanned", "refund", "announceChange"),
            when("extended", "verifying", "announceChange"),
            when("refused", "verifying", "announceRefusal"),
            otherwise("gated"),
          ],
        },
      },
      verifying: {
        description: "The claim is checked layer by layer: signal, contradiction, checkmarks, commit, Verify.",
        tags: "busy",
        invoke: {
          id: "verify",
          src: "verify",
          input: requests.verify,
          onDone: [
            when("reviewDue", "reviewing", "recordAcceptance"),
            when("accepted", "recordingPass", "recordAcceptance"),
            when("withheld", "parsing", "announceRejection"),
            when("rejected", "checkingLimit", "recordRejection", "announceRejection"),
            when("failed", "parsing"),
            when("blocked", "askingPerson", "refund", "recordBlocker"),
            otherwise("gated"),
          ],
        },
      },
      reviewing: {
        description: "A reviewer looks at what was done; what it finds in the code makes a fix task.",
        tags: "busy",
        entry: "countReview",
        invoke: {
          id: "review",
          src: "review",
          input: requests.review,
          onDone: [
            when("denied", "exhausted"),
            when("failed", "parsing", "announceReview"),
            when("accepted", "recordingPass", "announceReview"),
            otherwise("gated"),
          ],
        },
      },
      parsing: {
        description: "What went wrong is read from the output of the executor, of Verify or of the reviewer.",
        tags: "busy",
        invoke: {
          id: "readFailure",
          src: "readFailure",
          input: requests.readFailure,
          onDone: [
            when("replaced", "ready", "refund", "announceFailure"),
            when("hindered", "waiting", "refund", "recordHindrance", "announceWait"),
            when("repeated", "askingPerson", "recordFailure", "recordTrouble", "announceFailure"),
            otherwise("checkingLimit", "recordFailure", "announceFailure"),
          ],
        },
      },
      waiting: {
        description: "The executor cannot work now: its limit is to end first, the net to come back, a person to help.",
        tags: "waiting",
        invoke: {
          id: "wait",
          src: "wait",
          input: requests.wait,
          onDone: [when("waited", "ready"), otherwise("gated")],
        },
      },
      recordingPass: {
        description: "The accepted task is ticked in the plan and written into the progress log.",
        tags: "busy",
        invoke: {
          id: "recordPass",
          src: "recordPass",
          input: requests.recordPass,
          onDone: [
            { guard: "isPart", target: "betweenParts", actions: ["announcePass", "notePass"] },
            { guard: "isFix", target: "ready", actions: ["announcePass", "notePass", "returnToRepaired"] },
            { target: "passed", actions: "announcePass" },
          ],
        },
      },
      ...remedyStates(chart),
      ...endings(chart),
    },
    output: ({ event }) => event.output as TaskOutcome,
  });
  return asActor(machine, effects);
};
