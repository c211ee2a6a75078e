import * as z from "zod";

/** What the owner of a spec has agreed to: everything that a repository can bring and that takes consent. */
export const Agreement = z.object({
  /** Verify commands of the plan. */
  verify: z.array(z.string()).readonly(),
  /** Commands of reality checks. */
  reality: z.array(z.string()).readonly(),
  /** Options that run something, weaken a check or give a right, by name, as they are shown. */
  options: z.record(z.string(), z.string()).readonly(),
  /** Limits above their defaults, and limits that were typed, by name, as they act; null: off. */
  limits: z.record(z.string(), z.number().nullable()).readonly().optional(),
});
export type Agreement = z.infer<typeof Agreement>;

export const noAgreement: Agreement = { verify: [], reality: [], options: {} };

/** A text that equal agreements have in common, whatever the order of what is in them. */
export const canonicalAgreement = ({ verify, reality, options, limits = {} }: Agreement): string =>
  JSON.stringify([
    [...verify].sort(),
    [...reality].sort(),
    Object.entries(options).sort(),
    Object.entries(limits).sort(),
  ]);

/**
 * What a later agreement asks for beyond an earlier one, an item each, but for its limits. A command that is gone runs no more, and is no
 * matter of consent; of an option the old value is shown beside the new one.
 */
export function differenceOf(before: Agreement, after: Agreement): string[] {
  const names = [...new Set([...Object.keys(before.options), ...Object.keys(after.options)])].sort();
  return [
    ...added(before.verify, after.verify).map((command) => `Verify: ${command}`),
    ...added(before.reality, after.reality).map((command) => `Reality check: ${command}`),
    ...names.flatMap((name) => changedOption(name, before.options[name], after.options[name])),
  ];
}

function added(before: readonly string[], after: readonly string[]): string[] {
  const known = new Set(before);
  return after.filter((command) => !known.has(command));
}

function changedOption(name: string, before: string | undefined, after: string | undefined): string[] {
  if (before === after) return [];
  if (before === undefined) return [`${name}: ${after}`];
  return [`${name}: ${after ?? "(default)"}, instead of ${before}`];
}
