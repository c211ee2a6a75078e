import * as z from "zod";

export const Strategy = z.enum(["retry", "decompose", "prune", "escalate"]);

export const maxParts = 3;

/** Choice of a repair operator for a failed task. Each text is one line of at most 500 characters. */
export const Directive = z.discriminatedUnion("strategy", [
  /** The approach was right: retry the task with an adjustment. */
  z.object({ strategy: z.literal("retry"), adjustment: z.string() }),
  /** The task is too coarse: replace it by two or three parts, each with one checkable outcome. */
  z.object({ strategy: z.literal("decompose"), parts: z.array(z.string()).min(2).max(maxParts) }),
  /** The task cannot be done now: skip it. */
  z.object({ strategy: z.literal("prune"), justification: z.string() }),
  z.object({ strategy: z.literal("escalate"), tried: z.string(), decision: z.string() }),
]);
export type Directive = z.infer<typeof Directive>;

/** A followed directive, and its task. */
export const Repair = z.object({ task: z.string(), directive: Directive });
export type Repair = z.infer<typeof Repair>;

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
