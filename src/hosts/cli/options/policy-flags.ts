import * as z from "zod";
import { InputError } from "../../../model/errors.ts";
import { interpreted } from "../../../model/interpreted.ts";
import { type OptionFlag, optionFacts } from "../../../model/option-facts.ts";
import { PermissionLevel } from "../../../model/permissions.ts";
import { Policy, type PolicyInput, PolicyValues } from "../../../model/policy.ts";
import type { LadderChoices } from "../../../model/rung.ts";
import { renderDuration } from "../../../wording/render-time.ts";
import type { CliOption } from "../cli-command.ts";
import { parseAmount, parseCount, parseDuration, parseSize, parseText, parseTokens } from "./parse-value.ts";

export interface PolicyFlag extends CliOption {
  /** What its value sets; text is empty for a switch. */
  readonly set: (text: string, option: string) => PolicyInput;
}

/** An option that changes the ladder, whatever that was before. */
interface LadderFlag extends CliOption {
  readonly ladder: LadderChoices;
}

/** Remedies, which a later start keeps unless it takes one away. */
export const ladderFlags: readonly LadderFlag[] = [
  {
    flags: "--recovery-mode",
    summary: "when a task fails, write a fix task into the plan instead of only trying again",
    ladder: { recoveryMode: true },
  },
  {
    flags: "--repair",
    summary: "when a task fails, ask a repair operator what to do; with --recovery-mode, after the fix tasks",
    ladder: { repair: true },
  },
  {
    flags: "--escalation",
    summary: "when stuck: ask for a new approach, then for research, then stop with a report for you",
    ladder: { escalation: true },
  },
  {
    flags: "--no-recovery-mode",
    summary: "write no more fix tasks in a run that was started with --recovery-mode",
    ladder: { recoveryMode: false },
  },
  {
    flags: "--no-repair",
    summary: "ask no repair operator any more in a run that was started with --repair",
    ladder: { repair: false },
  },
  {
    flags: "--no-escalation",
    summary: "do without new approaches, research and reports in a run that was started with --escalation",
    ladder: { escalation: false },
  },
];

const defaults: Readonly<Record<string, unknown>> = Policy.parse({}, interpreted);

/** The options of the policy below a heading of the help, in the order in which they are declared. */
export const policyFlags = (group?: OptionFlag["group"]): readonly PolicyFlag[] =>
  Object.entries(PolicyValues.shape).flatMap(([name, field]) => {
    const flag = optionFacts.get(field)?.flag;
    return flag === undefined || (group !== undefined && flag.group !== group) ? [] : [policyFlag(name, field, flag)];
  });

function policyFlag(name: string, field: z.ZodDefault<z.ZodType>, flag: OptionFlag): PolicyFlag {
  const { flags, unit, summary, mayBeOff = field.removeDefault().safeParse(null, interpreted).success } = flag;
  const takes = /<(\w+)>$/.exec(flags)?.[1];
  const parse = takes === undefined ? () => true : (parsers[unit === "tokens" ? unit : takes] ?? parseText);
  const holds = takes === undefined ? "" : (flag.unset ?? shownDefault(flags, defaults[name]));
  return {
    flags,
    summary: holds === "" ? summary : `${summary} (default: ${holds})`,
    set: (text, option) => ({ [name]: mayBeOff && text === "off" ? null : parse(option, text, field) }) as PolicyInput,
  };
}

function shownDefault(flags: string, value: unknown): string {
  if (value === null || value === false) return "off";
  return flags.endsWith("<duration>") ? renderDuration(value as number) : String(value);
}

/** How a value is read, by what the option takes; any text where none of these is. */
const parsers: Readonly<Record<string, (option: string, text: string, field: z.ZodDefault<z.ZodType>) => unknown>> = {
  n: (option, text, field) => parseCount(option, text, leastOf(field)),
  characters: (option, text, field) => parseCount(option, text, leastOf(field)),
  duration: parseDuration,
  size: parseSize,
  usd: parseAmount,
  tokens: parseTokens,
  level: (option, text) => oneOf(option, text, PermissionLevel.options),
  what: (option, text) => {
    const what = oneOf(option, text, commits);
    return what === "off" ? false : what;
  },
};

/** The least number that an option takes. */
function leastOf(field: z.ZodDefault<z.ZodType>): number {
  const value = field.removeDefault();
  const number = value instanceof z.ZodNullable ? value.unwrap() : value;
  return (number as z.ZodNumber).minValue ?? 0;
}

const commits = ["off", "spec", "all"] as const;

function oneOf<Value extends string>(option: string, text: string, values: readonly Value[]): Value {
  const known = values.find((each) => each === text);
  if (known !== undefined) return known;
  throw new InputError(`Cannot use ${option} \`${text}\`, expected one of ${values.join(", ")}`, {
    code: "bad-option",
  });
}
