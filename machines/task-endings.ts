import type { Question } from "../src/model/question.ts";
import * as moves from "./task-moves.ts";
import { answerIn, denialOf, settled } from "./task-outcome.ts";
import type { TaskSetup } from "./task-setup.ts";

/** How the work on a planned task ends. @internal */
export const endings = ({ createStateConfig: state }: TaskSetup) => ({
  passed: state({
    description: "The planned task is done, and every fix below it.",
    type: "final",
    tags: "settled",
    output: ({ context }) => ({ kind: "passed", ...settled(context) }),
  }),
  replanned: state({
    description: "Other tasks of the plan come first now.",
    type: "final",
    tags: "settled",
    output: ({ context }) => ({ kind: "replanned", ...settled(context) }),
  }),
  pruned: state({
    description: "The planned task is left out, and the run goes on without it.",
    type: "final",
    tags: "settled",
    output: ({ context }) => ({
      kind: "pruned",
      ...settled(context),
      justification: moves.skipOf(context).justification,
    }),
  }),
  exhausted: state({
    description: "A limit allows no further attempt.",
    type: "final",
    tags: "settled",
    output: ({ context, event }) => ({
      kind: "exhausted",
      ...settled(context),
      denial: denialOf(context, event),
      lastError: context.failure?.error ?? context.rejection?.reason ?? null,
    }),
  }),
  checkpoint: state({
    description: "The run stops with the report; a person resumes it.",
    type: "final",
    tags: "settled",
    output: ({ context, event }) => {
      const { reason, hint } = answerIn(event) as Question;
      return { kind: "checkpoint", reason, hint, ...settled(context) };
    },
  }),
  gated: state({
    description: "Only a person can decide how to go on.",
    type: "final",
    tags: "settled",
    output: ({ context, event }) => ({ ...(answerIn(event) as Question), ...settled(context) }),
  }),
  cancelled: state({
    description: "The run was told to give this task up.",
    type: "final",
    tags: "settled",
    output: ({ context }) => ({ kind: "cancelled", ...settled(context) }),
  }),
});
