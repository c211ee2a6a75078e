import * as z from "zod";

/**
 * What an option does to a run: bounds it, runs a program, weakens or adds to what is checked, gives a right, or
 * changes only what is shown. A file of the workspace may set limits and looks by itself; the others take the consent
 * of a person.
 */
const OptionKind = z.enum(["limit", "runs something", "weakens a check", "gives a right", "looks only"]);
type OptionKind = z.infer<typeof OptionKind>;

/** How a setting is given on the command line. */
export interface OptionFlag {
  /** The heading of the help that it stands below. */
  readonly group: "may" | "recovery" | "limits" | "verification";
  /** With what it takes: `--max-cost <usd>`; a switch takes nothing. */
  readonly flags: string;
  /** What it counts or takes, for tables. */
  readonly unit: string;
  /** A line of the help, without the default. */
  readonly summary: string;
  /** What holds where nothing is set, for the help; `off` when not given. Empty: the help does not say. */
  readonly unset?: string;
  /** The same for tables; the default when not given. */
  readonly shown?: string;
  /** Whether `off` unsets it; as its schema takes null when not given. */
  readonly mayBeOff?: boolean;
}

/** What is known of an option beside its values and its default. */
export interface OptionFacts {
  readonly kind: OptionKind;
  readonly flag?: OptionFlag;
}

/** What is known of options, kept where an option is declared. */
export const optionFacts = z.registry<OptionFacts>();

type Facts = (flag?: OptionFlag) => OptionFacts;
const of =
  (kind: OptionKind): Facts =>
  (flag) => ({ kind, ...(flag !== undefined && { flag }) });

export const limit = of("limit");
export const runsSomething = of("runs something");
export const weakensCheck = of("weakens a check");
export const givesRight = of("gives a right");
export const looksOnly = of("looks only");

/** Whether an option takes consent when a file of the workspace sets it. An option without a kind does. */
export function needsConsent(option: z.ZodType | undefined): boolean {
  const kind = option === undefined ? undefined : optionFacts.get(option)?.kind;
  return kind !== "limit" && kind !== "looks only";
}
