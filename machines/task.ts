import { assign, setup } from "xstate";
import type { Effects } from "../src/effects/effects.ts";
import { serviceKinds } from "../src/model/reply.ts";
import { partId, plannedTask, repairedBy, type TaskId, wholeOf } from "../src/model/task.ts";
import { answerIn, ask, ends, is, nameOf, on, sockets, to, when } from "./ask.ts";
import { described } from "./described.ts";
import { readTaskInput, type TaskContext, type TaskMachine, type TaskOutcome, type TaskTypes } from "./task-machine.ts";

/**
 * The chart of a planned task and its fix tasks: delegate, verify, parse, check the limits, fix, retry; if stuck:
 * pivot, research, checkpoint. The chart holds only the position. Attempts, counts and guidance are in the run's state,
 * from which `decide` derives the next step.
 *
 * @param effects Performs the effects of the machine, over a run in memory. Omit it in the run of a spec, which answers
 *   the machine's requests itself.
 * @see docs/machines.md
 */
export const createTaskMachine = (effects?: Effects): TaskMachine =>
  setup({
    types: {} as TaskTypes,
    actors: {
      ...sockets(effects, "delegate", "changePlan", "verify", "review", "readFailure", "wait", "decide", "insertFix"),
      ...sockets(effects, "askOperator", "nextPart", "gatherParts", "recordPass", "recordSkip", "writeStuckReport"),
      ...sockets(effects, "askPerson"),
    },
    guards: {
      is,
      endsPart: (asked) => wholeOf(endedIn(asked)) !== null,
      endsFix: (asked) => endedIn(asked) !== asked.context.root,
    },
    actions: {
      end: assign({ end: ({ event }) => answerIn(event) as TaskContext["end"] }),
      toFix: assign({ current: ({ event }) => (answerIn(event) as { fix: TaskId }).fix }),
      toNext: assign({ current: ({ event }) => (answerIn(event) as { task: TaskId }).task }),
      toFirstPart: assign({ current: ({ context }) => partId(context.current, 1) }),
      // `endsFix` is true here, so the current task repairs another task.
      back: assign({ current: ({ context }) => repairedBy(context.current) as TaskId }),
      // A retry repeats the planned task, because a part is not in the plan.
      toPlanned: assign({ current: ({ context }) => plannedTask(context.current) }),
    },
  }).createMachine({
    ...described("task", {
      delegating: ask(
        "delegate",
        denied,
        on("requested", "changingPlan"),
        on("done", "recordingPass"),
        to("verifying"),
      ),
      changingPlan: ask("changePlan", on("replanned", "replanned"), on(["extended", "refused"], "verifying"), gated),
      verifying: ask(
        "verify",
        on("reviewDue", "reviewing"),
        on("accepted", "recordingPass"),
        on(["withheld", "failed"], "parsing"),
        on("rejected", "checkingLimit"),
        on("blocked", "askingPerson"),
        gated,
      ),
      reviewing: ask("review", denied, on("failed", "parsing"), on("accepted", "recordingPass"), gated),
      parsing: ask(
        "readFailure",
        on("fallback", "delegating"),
        on(serviceKinds, "waiting"),
        on("repeated", "askingPerson"),
        to("checkingLimit"),
      ),
      waiting: ask("wait", on("waited", "delegating"), gated),
      checkingLimit: ask(
        "decide",
        // `delegating` also runs all attempts of a race; their results form one answer.
        on(["begin", "retry", "race"], "delegating"),
        on("fix", "insertingFix"),
        on("repair", "repairing"),
        on("pivot", "pivoting"),
        on("research", "researching"),
        on("checkpoint", "reporting"),
        on("ask", "askingPerson"),
        to("exhausted", "end"),
      ),
      insertingFix: ask("insertFix", denied, to("delegating", "toFix")),
      repairing: ask("askOperator", ...directed, on("malformed", "repairingAgain"), to("askingPerson")),
      repairingAgain: ask("askOperator", ...directed, to("askingPerson")),
      betweenParts: ask("nextPart", on("whole", "assembling", "toNext"), to("checkingLimit", "toNext")),
      assembling: ask("gatherParts", to("verifying")),
      pivoting: { always: "delegating" },
      researching: { always: "delegating" },
      reporting: ask("writeStuckReport", to("atCheckpoint")),
      atCheckpoint: ask("askPerson", ...decided, to("checkpoint", "end")),
      askingPerson: ask("askPerson", ...decided, gated),
      skipping: ask("recordSkip", ...below, to("pruned")),
      recordingPass: ask("recordPass", ...below, to("passed")),
      ...ends("passed", "replanned", "pruned", "exhausted", "checkpoint", "gated", "cancelled"),
    }),
    context: ({ input }) => ({ ...readTaskInput(input), end: null }),
    initial: "checkingLimit",
    on: { cancel: ".cancelled" },
    output: ({ context, event }) => ({ kind: isParked(context) ? "parked" : nameOf(event), ...context }) as TaskOutcome,
  }) as unknown as TaskMachine;

const denied = on("denied", "exhausted", "end");
const gated = to("gated", "end");

/** A parked task waits for a person who was absent, and the run continues without it. */
const isParked = ({ end }: TaskContext): boolean => end !== null && "parked" in end && end.parked === true;

const directed = [
  denied,
  on("retry", "delegating"),
  on("decompose", "delegating", "toFirstPart"),
  on("prune", "skipping"),
];

const decided = [
  on(["guided", "retry"], "delegating", "toPlanned"),
  on("accept", "recordingPass"),
  on(["skip", "skip-task"], "skipping"),
  on("stop", "cancelled"),
];

const below = [when("endsPart", "betweenParts"), when("endsFix", "checkingLimit", "back")];

const endedIn = ({ context: { current }, event }: { readonly context: TaskContext; readonly event: object }): TaskId =>
  (answerIn(event) as { readonly task?: TaskId }).task ?? current;
