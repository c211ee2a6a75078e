import type { Question } from "../src/model/effect.ts";
import { calm } from "../src/model/escalation.ts";
import { completePolicy, type EscalationRung, type Rung } from "../src/model/policy.ts";
import type { TaskContext } from "../src/model/task-context.ts";
import type { TaskOutcome } from "../src/model/task-outcome.ts";
import type { Ports } from "../src/ports.ts";
import * as moves from "./task-moves.ts";
import { answerIn, denialOf, settled } from "./task-outcome.ts";
import { requests } from "./task-requests.ts";
import { taskSetup } from "./task-setup.ts";
import { otherwise, when } from "./when.ts";

/**
 * The chart of one planned task and of all fixes below it. Without ports every effect throws, which is enough for
 * the step function, for tests and for diagrams.
 *
 * @see docs/machines.md
 */
export const createTaskMachine = (ports?: Ports) =>
  taskSetup(ports).createMachine({
    id: "task",
    description: "One planned task, from its first delegation to a settled outcome, with all fixes made for it.",
    context: ({ input }) => ({
      root: input.root,
      current: input.current ?? input.root,
      spent: input.spent ?? {},
      policy: completePolicy(input.policy),
      grouped: input.grouped ?? false,
      keepOpen: input.keepOpen ?? false,
      escalation: input.escalation ?? calm,
      guidance: input.guidance ?? null,
      paused: input.paused ?? false,
      remedy: null,
      repairs: [...(input.repairs ?? [])],
      question: null,
      unverified: false,
      failure: null,
      rejection: null,
    }),
    initial: "starting",
    on: {
      cancel: ".cancelled",
      pause: { actions: "pause" },
      resume: { actions: "resume" },
      "guidance.given": { actions: { type: "recordGuidance", params: said } },
    },
    states: {
      starting: {
        description: "A task that was attempted in an earlier start goes on within its limits.",
        always: [{ guard: "attempted", target: "checkingLimit" }, { target: "ready" }],
      },
      ready: {
        description: "The next delegation may begin, unless the run is paused.",
        always: [{ guard: "paused", target: "paused" }, { target: "delegating" }],
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
            when("replanned", "replanned", "countWait", "announceChange"),
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
            when("blocked", "askingPerson", "countWait", "recordBlocker"),
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
            when("replaced", "ready", "countWait", "announceFailure"),
            when("hindered", "waiting", "countWait", "recordHindrance", "announceWait"),
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
      checkingLimit: {
        description: "The first remedy of the ladder that its budget still allows, if any.",
        entry: "announceDecision",
        always: [
          { guard: "retryAllowed", target: "ready", actions: ["countRetry", "rememberRetry"] },
          { guard: "fixAllowed", target: "insertingFix", actions: remember("fix") },
          { guard: "repairAllowed", target: "repairing" },
          { guard: "pivotAllowed", target: "pivoting", actions: [climbTo("pivot"), remember("pivot")] },
          { guard: "researchAllowed", target: "researching", actions: [climbTo("research"), remember("research")] },
          { guard: "checkpointReached", target: "reporting", actions: climbTo("checkpoint") },
          { guard: "personNeeded", target: "askingPerson" },
          { target: "exhausted" },
        ],
      },
      insertingFix: {
        description:
          "A fix task is written into the plan: below the task that failed, or in place of a fix that did not help.",
        tags: "busy",
        invoke: {
          id: "insertFix",
          src: "insertFix",
          input: requests.insertFix,
          onDone: [when("denied", "exhausted"), otherwise("ready", "announceFix", "descendToFix")],
        },
      },
      repairing: {
        description: "A repair operator chooses: the task again, parts of it, to leave it out, or to ask a person.",
        tags: "busy",
        invoke: {
          id: "repair",
          src: "repair",
          input: requests.repair,
          onDone: [
            when("denied", "exhausted"),
            when("toldToRetry", "ready", "recordRepair", "announceRepair"),
            when("toldToDecompose", "ready", "recordRepair", "announceRepair", "descendToPart"),
            when("toldToPrune", "skipping", "recordRepair", "announceRepair"),
            otherwise("askingPerson", "recordRepair", "announceRepair"),
          ],
        },
      },
      betweenParts: {
        description: "A part of a decomposed task is done; the next follows, until all are.",
        always: [
          { guard: "partsRemain", target: "ready", actions: "goToNextPart" },
          { target: "assembling", actions: "returnToWhole" },
        ],
      },
      assembling: {
        description: "All parts are done: what they claim is put together, and the whole is checked.",
        tags: "busy",
        invoke: {
          id: "gatherParts",
          src: "gatherParts",
          input: requests.gatherParts,
          onDone: "verifying",
        },
      },
      pivoting: {
        description: "Stuck: the next attempt is asked for a different approach.",
        entry: "announceLevel",
        always: "ready",
      },
      researching: {
        description: "Different approaches did not help: the next attempt gathers context first.",
        entry: "announceLevel",
        always: "ready",
      },
      reporting: {
        description: "Nothing is left to try: a report is written for a person.",
        tags: "busy",
        entry: "announceLevel",
        invoke: {
          id: "writeStuckReport",
          src: "writeStuckReport",
          input: requests.writeStuckReport,
          onDone: "atCheckpoint",
        },
      },
      atCheckpoint: {
        description: "Stuck, with a report: a person gives guidance, decides, or leaves the run stopped.",
        tags: "waitingForPerson",
        entry: { type: "announceQuestion", params: { about: "checkpoint" } },
        invoke: {
          id: "askPerson",
          src: "askPerson",
          input: requests.askAtCheckpoint,
          onDone: [...answered, otherwise("checkpoint")],
        },
        on: {
          "guidance.given": { target: "ready", actions: [{ type: "recordGuidance", params: said }, "beginAnew"] },
          "decision.made": decisions,
        },
      },
      askingPerson: {
        description:
          "A person decides: the task could not be repaired, its executor asks, or the environment fails it.",
        tags: "waitingForPerson",
        entry: { type: "announceQuestion", params: asked },
        invoke: {
          id: "askPerson",
          src: "askPerson",
          input: requests.askAboutRepair,
          onDone: [...answered, otherwise("gated")],
        },
        on: { "decision.made": decisions },
      },
      skipping: {
        description: "The task is left out, with the reason in the summary; its box stays open.",
        tags: "busy",
        entry: "announceSkip",
        invoke: {
          id: "recordSkip",
          src: "recordSkip",
          input: requests.recordSkip,
          onDone: [{ guard: "partLeftOut", target: "betweenParts" }, { target: "pruned" }],
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
            { guard: "isPart", target: "betweenParts", actions: ["announcePass", "calmDown"] },
            { guard: "isFix", target: "ready", actions: ["announcePass", "calmDown", "returnToRepaired"] },
            { target: "passed", actions: "announcePass" },
          ],
        },
      },
      passed: {
        description: "The planned task is done, and every fix below it.",
        type: "final",
        tags: "settled",
        output: ({ context }) => ({ kind: "passed", ...settled(context) }),
      },
      replanned: {
        description: "Other tasks of the plan come first now.",
        type: "final",
        tags: "settled",
        output: ({ context }) => ({ kind: "replanned", ...settled(context) }),
      },
      pruned: {
        description: "The planned task is left out, and the run goes on without it.",
        type: "final",
        tags: "settled",
        output: ({ context }) => ({
          kind: "pruned",
          ...settled(context),
          justification: moves.skipOf(context).justification,
        }),
      },
      exhausted: {
        description: "A limit allows no further attempt.",
        type: "final",
        tags: "settled",
        output: ({ context, event }) => ({
          kind: "exhausted",
          ...settled(context),
          denial: denialOf(context, event),
          lastError: context.failure?.error ?? context.rejection?.reason ?? null,
        }),
      },
      checkpoint: {
        description: "The run stops with the report; a person resumes it.",
        type: "final",
        tags: "settled",
        output: ({ context, event }) => {
          const { reason, hint } = answerIn(event) as Question;
          return { kind: "checkpoint", reason, hint, ...settled(context) };
        },
      },
      gated: {
        description: "Only a person can decide how to go on.",
        type: "final",
        tags: "settled",
        output: ({ context, event }) => ({ ...(answerIn(event) as Question), ...settled(context) }),
      },
      cancelled: {
        description: "The run was told to give this task up.",
        type: "final",
        tags: "settled",
        output: ({ context }) => ({ kind: "cancelled", ...settled(context) }),
      },
    },
    output: ({ event }) => event.output as TaskOutcome,
  });

/** Ways on from a question to a person, by the answer. */
const answered = [
  when("guided", "ready", "recordGuidance", "beginAnew"),
  when("decidedRetry", "ready", "beginAnew"),
  when("decidedSkip", "skipping"),
  when("decidedStop", "cancelled"),
] as const;

/** The same, where the answer comes as an event. */
const decisions = [
  { guard: "saysRetry", target: "ready", actions: "beginAnew" },
  { guard: "saysSkip", target: "skipping" },
  { target: "cancelled" },
] as const;

const remember = <Name extends Rung>(rung: Name) => ({ type: "remember", params: { rung } }) as const;
const climbTo = <Name extends EscalationRung>(to: Name) => ({ type: "climb", params: { to } }) as const;

const asked = ({ context: { question } }: { readonly context: TaskContext }) => ({
  about: question?.about ?? ("repair" as const),
});

const said = ({ event }: { readonly event: { readonly text: string } }) => ({ text: event.text });
