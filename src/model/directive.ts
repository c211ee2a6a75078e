import * as z from "zod";

/** Choices of a repair operator. */
export const Strategy = z.enum(["retry", "decompose", "prune", "escalate"]);

/** Maximum number of parts of a decomposed task. */
export const maxParts = 3;

/** A repair operator's choice for a failed task. Texts are one line of at most 500 characters. */
export const Directive = z.discriminatedUnion("strategy", [
  /** Retry the task with an adjustment: the approach was right. */
  z.object({ strategy: z.literal("retry"), adjustment: z.string() }),
  /** Replace the task by two or three parts, each with one checkable outcome: the task is too coarse. */
  z.object({ strategy: z.literal("decompose"), parts: z.array(z.string()).min(2).max(maxParts) }),
  /** Skip the task: it cannot be done now. */
  z.object({ strategy: z.literal("prune"), justification: z.string() }),
  /** A person has to decide. */
  z.object({ strategy: z.literal("escalate"), tried: z.string(), decision: z.string() }),
]);
export type Directive = z.infer<typeof Directive>;

/** A followed directive, and its task. */
export const Repair = z.object({ task: z.string(), directive: Directive });
export type Repair = z.infer<typeof Repair>;

/** A directive in one line, without its strategy. */
export function detailOf(directive: Directive): string {
  switch (directive.strategy) {
    case "retry":
      return directive.adjustment;
    case "decompose":
      return directive.parts.join(" | ");
    case "prune":
      return directive.justification;
    case "escalate":
      return [directive.tried, directive.decision].filter((text) => text !== "").join(" | ");
  }
}
