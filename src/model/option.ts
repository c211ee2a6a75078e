import * as z from "zod";

/**
 * Effect of an option on a run: it sets a limit, runs a program, weakens or adds a check, gives a right, or only
 * affects display. A workspace file may set display options, and limits up to their defaults; other options need a
 * person's consent, and options of a single start come only from a person.
 */
type OptionKind = "limit" | "runs something" | "weakens a check" | "gives a right" | "looks only" | "of one start";

/** Headings of the run help, in order. */
export const helpGroups = [
  "Your answer",
  "Who does the work",
  "What the run may do",
  "Recovery",
  "Limits",
  "Verification",
  "Pull request",
  "This start",
  "Output",
  "Many specs",
] as const;

/** Form of an option on the command line. */
export interface OptionFlag {
  readonly group?: (typeof helpGroups)[number];
  /**
   * The switch with its value, such as `--max-cost <usd>`; a plain switch takes no value. Not given if the option has
   * no switch.
   */
  readonly flags?: string;
  /** A help line, without the default. */
  readonly summary?: string;
  /** Addition to the summary in the full help. */
  readonly details?: string;
  /** Whether the short help shows it. */
  readonly basic?: true;
  /** Help line of `--no-…`, which removes a remedy; not given if there is no such switch. */
  readonly opposite?: string;
  /** Unit or kind of value, for tables. */
  readonly unit?: string;
  /** Whether the option can be repeated. */
  readonly repeats?: true;
  /** Whether to suggest the nearest accepted word for an unknown word. */
  readonly suggests?: true;
  /** Accepted values, if the option's schema does not list them. */
  readonly choices?: readonly string[];
  /** Values for words that the option's schema does not accept. */
  readonly words?: Readonly<Record<string, unknown>>;
  /** Help text for the case that the option is not set; the default value if not given. Empty: no text. */
  readonly unset?: string;
  /** Like `unset`, for tables. */
  readonly shown?: string;
  /** Whether `off` unsets the option; if not given, `off` does so if the option's schema accepts null. */
  readonly mayBeOff?: boolean;
}

/** Facts about an option besides its values, default and description. */
interface OptionFacts {
  readonly kind: OptionKind;
  readonly flag?: OptionFlag;
}

/** Registry of all options. An option is declared once, at its schema, and registered here. */
export const optionFacts = z.registry<OptionFacts>();

/** Declare an option. @param about Its description, for tables and schemas. */
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

/** The switch of an option, such as `--max-cost`; empty if there is none. */
export const switchOf = (option: z.ZodType): string => optionFacts.get(option)?.flag?.flags?.split(" ")[0] ?? "";

/** Whether an option is a duration: milliseconds in code, text such as `90s` elsewhere. */
export const isDuration = (option: z.ZodType): boolean => optionFacts.get(option)?.flag?.unit === "ms";

/** Whether an option is a limit: a workspace file needs consent to set it above its default. */
export const isLimit = (option: z.ZodType): boolean => optionFacts.get(option)?.kind === "limit";

/** Whether a workspace file always needs consent to set an option. True for an option without a kind. */
export function needsConsent(option: z.ZodType | undefined): boolean {
  const kind = option === undefined ? undefined : optionFacts.get(option)?.kind;
  return kind !== "limit" && kind !== "looks only";
}
