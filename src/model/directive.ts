import * as z from "zod";

/** What a repair operator may choose. */
export const Strategy = z.enum(["retry", "decompose", "prune", "escalate"]);

/** Into how many parts a task is taken apart at most. */
export const maxParts = 3;

/** What a repair operator chooses for a task that failed. Texts are one line of at most 500 characters. */
export const Directive = z.discriminatedUnion("strategy", [
  /** The approach was right: the task again, with an adjustment. */
  z.object({ strategy: z.literal("retry"), adjustment: z.string() }),
  /** The task is too coarse: two or three parts in its place, each with one outcome that can be checked. */
  z.object({ strategy: z.literal("decompose"), parts: z.array(z.string()).min(2).max(maxParts) }),
  /** The task cannot be done as things are: it is skipped. */
  z.object({ strategy: z.literal("prune"), justification: z.string() }),
  /** A person has to decide. */
  z.object({ strategy: z.literal("escalate"), tried: z.string(), decision: z.string() }),
]);
export type Directive = z.infer<typeof Directive>;

/** A directive that was followed, and the task it was given for. */
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
