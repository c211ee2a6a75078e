import * as z from "zod";

/**
 * What an option does to a run: bounds it, runs a program, weakens or adds to what is checked, gives a right, or
 * changes only what is shown. A file of the workspace may set limits and looks by itself; the others take the consent
 * of a person.
 */
export const OptionKind = z.enum(["limit", "runs something", "weakens a check", "gives a right", "looks only"]);
export type OptionKind = z.infer<typeof OptionKind>;

/** The kinds of options, kept where an option is declared. */
export const optionKinds = z.registry<{ readonly kind: OptionKind }>();

export const limit = { kind: "limit" } as const;
export const runsSomething = { kind: "runs something" } as const;
export const weakensCheck = { kind: "weakens a check" } as const;
export const givesRight = { kind: "gives a right" } as const;
export const looksOnly = { kind: "looks only" } as const;

/** Whether an option takes consent when a file of the workspace sets it. An option without a kind does. */
export function needsConsent(option: z.ZodType | undefined): boolean {
  const kind = option === undefined ? undefined : optionKinds.get(option)?.kind;
  return kind !== "limit" && kind !== "looks only";
}
