import * as z from "zod";

/**
 * Effect of an option on a run. A workspace file may set `looks only` options, and limits up to their defaults. All
 * other settings need a person's consent. `of one start` options come only from a person.
 */
type OptionKind = "limit" | "runs something" | "weakens a check" | "gives a right" | "looks only" | "of one start";

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

export interface OptionFlag {
  readonly group?: (typeof helpGroups)[number];
  /**
   * Switch and value, such as `--max-cost <usd>`, or a switch without a value. Not given if the option has no switch.
   */
  readonly flags?: string;
  /** Line of the help, without the default. */
  readonly summary?: string;
  readonly details?: string;
  readonly basic?: true;
  /** Help line of the switch `--no-…`, which removes a remedy; not given if there is no such switch. */
  readonly opposite?: string;
  /** Unit or kind of the value, for tables of documents. */
  readonly unit?: string;
  readonly repeats?: true;
  /** Whether an error about an unknown value suggests the nearest accepted value. */
  readonly suggests?: true;
  /** Accepted values; not given if the schema lists them. */
  readonly choices?: readonly string[];
  /** Further accepted words, each with the value that it stands for. */
  readonly words?: Readonly<Record<string, unknown>>;
  /** Help text about an option that is not set. If not given, the help shows the default; if empty, nothing. */
  readonly unset?: string;
  /** Like `unset`, in tables of documents. */
  readonly shown?: string;
  /**
   * Whether `off` unsets the option. If this field is not given, `off` unsets only options whose schema accepts null.
   */
  readonly mayBeOff?: boolean;
}

interface OptionFacts {
  readonly kind: OptionKind;
  readonly flag?: OptionFlag;
}

/** All options. `option` registers each option when its schema is declared. */
export const optionFacts = z.registry<OptionFacts>();

/** Declare an option. @param about Description for tables and JSON schemas. */
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

/** Switch of an option, such as `--max-cost`; empty if it has none. */
export const switchOf = (option: z.ZodType): string => optionFacts.get(option)?.flag?.flags?.split(" ")[0] ?? "";

/** Whether an option is a duration: a number of milliseconds in code, a text such as `90s` elsewhere. */
export const isDuration = (option: z.ZodType): boolean => optionFacts.get(option)?.flag?.unit === "ms";

/** Whether an option is a limit. A workspace file needs consent to set a limit above its default. */
export const isLimit = (option: z.ZodType): boolean => optionFacts.get(option)?.kind === "limit";

/** Whether a workspace file always needs consent to set an option. True for an undeclared option. */
export function needsConsent(option: z.ZodType | undefined): boolean {
  const kind = option === undefined ? undefined : optionFacts.get(option)?.kind;
  return kind !== "limit" && kind !== "looks only";
}
