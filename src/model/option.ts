import * as z from "zod";

/**
 * What an option does to a run: bounds it, runs a program, weakens or adds to what is checked, gives a right, or
 * changes only what is shown. A file of the workspace may set looks by itself, and limits up to their defaults; the rest
 * takes the consent of a person, and what is of one start only a person gives it.
 */
type OptionKind = "limit" | "runs something" | "weakens a check" | "gives a right" | "looks only" | "of one start";

/** The headings of the help of a run, in their order. */
export const helpGroups = [
  "Your answer",
  "Who does the work",
  "What it may do",
  "Recovery",
  "Limits",
  "Verification",
  "Pull request",
  "This start",
  "Output",
  "Many specs",
] as const;

/** How an option is given on the command line. */
export interface OptionFlag {
  readonly group?: (typeof helpGroups)[number];
  /** With what it takes, as `--max-cost <usd>`; a switch takes nothing. Not given: no switch gives it. */
  readonly flags?: string;
  /** A line of the help, without the default. */
  readonly summary?: string;
  /** What the help of all options adds to the summary. */
  readonly details?: string;
  /** Whether the short help shows it. */
  readonly basic?: true;
  /** The line of the help for `--no-…`, which takes a remedy away; there is no such switch when not given. */
  readonly opposite?: string;
  /** What it counts or takes, for tables. */
  readonly unit?: string;
  /** Whether it may be given several times. */
  readonly repeats?: true;
  /** Whether the nearest word is named for one that is none of its words. */
  readonly suggests?: true;
  /** Values that it takes, where its schema does not name them. */
  readonly choices?: readonly string[];
  /** What each word means, where its schema takes other values. */
  readonly words?: Readonly<Record<string, unknown>>;
  /** What holds where nothing is set, for the help; the default when not given. Empty: the help does not say. */
  readonly unset?: string;
  /** The same for tables. */
  readonly shown?: string;
  /** Whether `off` unsets it; as its schema takes null when not given. */
  readonly mayBeOff?: boolean;
}

/** What is known of an option beside its values, its default and its description. */
interface OptionFacts {
  readonly kind: OptionKind;
  readonly flag?: OptionFlag;
}

/** What is known of every option. An option is declared once, where its schema is, and registered here. */
export const optionFacts = z.registry<OptionFacts>();

/** Declare an option. @param about What it is, for tables and schemas. */
export function option<Schema extends z.ZodType>(
  schema: Schema,
  kind: OptionKind,
  about: string,
  flag?: OptionFlag,
): Schema {
  const described = schema.describe(about);
  optionFacts.add<z.ZodType>(described, { kind, ...(flag !== undefined && { flag }) });
  return described;
}

/** The name of the switch that gives an option, such as `--max-cost`; empty where there is none. */
export const switchOf = (option: z.ZodType): string => optionFacts.get(option)?.flag?.flags?.split(" ")[0] ?? "";

/** Whether an option is a duration: milliseconds in code, text such as `90s` everywhere else. */
export const isDuration = (option: z.ZodType): boolean => optionFacts.get(option)?.flag?.unit === "ms";

/** Whether an option bounds a run: above its default it takes consent when a file of the workspace sets it. */
export const isLimit = (option: z.ZodType): boolean => optionFacts.get(option)?.kind === "limit";

/** Whether an option takes consent, whatever its value, when a file of the workspace sets it. An option without a kind does. */
export function needsConsent(option: z.ZodType | undefined): boolean {
  const kind = option === undefined ? undefined : optionFacts.get(option)?.kind;
  return kind !== "limit" && kind !== "looks only";
}
