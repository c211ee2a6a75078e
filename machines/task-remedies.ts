import type { EscalationRung, Rung } from "../src/model/rung.ts";
import type { TaskContext } from "../src/model/task-context.ts";
import { requests } from "./task-requests.ts";
import type { TaskSetup } from "./task-setup.ts";
import { otherwise, when } from "./when.ts";

/** What follows a failed attempt: the first remedy that is still allowed, until the task is tried again or left. @internal */
export const remedyStates = ({ createStateConfig: state }: TaskSetup) => ({
  checkingLimit: state({
    description: "The first remedy of the ladder that its budget still allows, if any.",
    entry: ["decide", "announceDecision"],
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
  }),
  insertingFix: state({
    description:
      "A fix task is written into the plan: below the task that failed, or in place of a fix that did not help.",
    tags: "busy",
    invoke: {
      id: "insertFix",
      src: "insertFix",
      input: requests.insertFix,
      onDone: [when("denied", "exhausted"), otherwise("ready", "announceFix", "descendToFix")],
    },
  }),
  repairing: state({
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
        when("toldToPrune", "skipping", "recordRepair", "announceRepair", "leaveOutPruned"),
        otherwise("askingPerson", "recordRepair", "announceRepair"),
      ],
    },
  }),
  betweenParts: state({
    description: "A part of a decomposed task is done; the next follows, until all are.",
    always: [
      { guard: "partsRemain", target: "ready", actions: "goToNextPart" },
      { guard: "totalReached", target: "checkingLimit", actions: "abandonParts" },
      { target: "assembling", actions: "returnToWhole" },
    ],
  }),
  assembling: state({
    description: "All parts are done: what they claim is put together, and the whole is checked.",
    tags: "busy",
    invoke: {
      id: "gatherParts",
      src: "gatherParts",
      input: requests.gatherParts,
      onDone: "verifying",
    },
  }),
  pivoting: state({
    description: "Stuck: the next attempt is asked for a different approach.",
    entry: "announceLevel",
    always: "ready",
  }),
  researching: state({
    description: "Different approaches did not help: the next attempt gathers context first.",
    entry: "announceLevel",
    always: "ready",
  }),
  reporting: state({
    description: "Nothing is left to try: a report is written for a person.",
    tags: "busy",
    entry: "announceLevel",
    invoke: {
      id: "writeStuckReport",
      src: "writeStuckReport",
      input: requests.writeStuckReport,
      onDone: "atCheckpoint",
    },
  }),
  atCheckpoint: state({
    description: "Stuck, with a report: a person gives guidance, decides, or leaves the run stopped.",
    tags: "waitingForPerson",
    entry: { type: "announceQuestion", params: { about: "checkpoint" } },
    invoke: {
      id: "askPerson",
      src: "askPerson",
      input: requests.askAtCheckpoint,
      // The report is about the planned task.
      onDone: [...answered("leaveOutTask"), otherwise("checkpoint")],
    },
    on: answers("leaveOutTask"),
  }),
  askingPerson: state({
    description: "A person decides: the task could not be repaired, its executor asks, or the environment fails it.",
    tags: "waitingForPerson",
    entry: { type: "announceQuestion", params: asked },
    invoke: {
      id: "askPerson",
      src: "askPerson",
      input: requests.askAboutRepair,
      onDone: [...answered("leaveOutCurrent"), otherwise("gated")],
    },
    on: answers("leaveOutCurrent"),
  }),
  skipping: state({
    description: "The task, or a part or a fix of it, is left out, with the reason in the summary; its box stays open.",
    tags: "busy",
    entry: "announceSkip",
    invoke: {
      id: "recordSkip",
      src: "recordSkip",
      input: requests.recordSkip,
      onDone: [
        { guard: "partLeftOut", target: "betweenParts" },
        { guard: "fixLeftOut", target: "ready", actions: "returnToRepaired" },
        { target: "pruned" },
      ],
    },
  }),
});

/** Ways on from a question to a person, by the answer. @param skip What is left out of the planned task. */
const answered = <Skip extends "leaveOutCurrent" | "leaveOutTask">(skip: Skip) =>
  [
    when("guided", "ready", "recordGuidance", "reset"),
    when("decidedRetry", "ready", "reset"),
    when("decidedSkip", "skipping", skip),
    when("decidedSkipTask", "skipping", "leaveOutTask"),
    when("decidedStop", "cancelled"),
  ] as const;

/** The same, where the answer comes as an event. */
const answers = <Skip extends "leaveOutCurrent" | "leaveOutTask">(skip: Skip) =>
  ({
    "guidance.given": { target: "ready", actions: [{ type: "recordGuidance", params: said }, "reset"] },
    "decision.made": [
      { guard: "saysRetry", target: "ready", actions: "reset" },
      { guard: "saysSkip", target: "skipping", actions: skip },
      { guard: "saysSkipTask", target: "skipping", actions: "leaveOutTask" },
      { target: "cancelled" },
    ],
  }) as const;

const remember = <Name extends Rung>(rung: Name) => ({ type: "remember", params: { rung } }) as const;
const climbTo = <Name extends EscalationRung>(to: Name) => ({ type: "climb", params: { to } }) as const;

const asked = ({ context: { question } }: { readonly context: TaskContext }) => ({
  about: question?.about ?? ("repair" as const),
});

/** What a person has said, for the action that keeps it. */
export const said = ({ event }: { readonly event: { readonly text: string } }) => ({ text: event.text });
