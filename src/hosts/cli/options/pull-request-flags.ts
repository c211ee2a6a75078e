import * as z from "zod";
import { InputError } from "../../../model/errors.ts";
import { interpreted } from "../../../model/interpreted.ts";
import { shippingFlags } from "../../../model/limits.ts";
import { PullRequestPolicy, type PullRequestPolicyInput } from "../../../model/pull-request-policy.ts";
import { renderDuration } from "../../../wording/render-time.ts";
import type { CliOption, OptionValues } from "../cli-command.ts";
import { parseCount, parseDuration, parseText } from "./parse-value.ts";

type Name = keyof PullRequestPolicy;

/** How parts of the policy of a pull request are given on a command line. The others are given by a file or a program. */
const flags: { readonly [Part in Name]?: readonly [flag: string, summary: string] } = {
  base: ["--base <branch>", "branch that it is to be merged into (default: the default branch of the remote)"],
  branch: ["--branch <name>", "branch of the pull request; one that is not there is made before the first task"],
  remote: ["--remote <name>", "remote that is pushed to"],
  title: ["--title <text>", "title of the pull request (default: that of the plan)"],
  draft: ["--draft", "open it as a draft"],
  ready: ["--ready", "mark a draft as ready at the end"],
  checks: ["--pr-checks <which>", "checks that must pass: required (all where none is) or all"],
  trustedReviewers: ["--trust-reviewer <login>", "a program whose reviews count; repeat it for others"],
  resolveThreads: [
    "--resolve-threads <which>",
    "threads that are resolved once they are answered: off, own (of trusted programs) or all",
  ],
  updateBranch: ["--update-branch", "take in the base where that blocks"],
  autoMerge: ["--auto-merge <how>", "have the forge merge it once it may: squash, merge or rebase (default: off)"],
  fixBase: ["--fix-base", "fix checks that fail on the base, too"],
  maxTime: [`${shippingFlags.maxTime} <duration>`, "time from the first push to the end"],
  maxCycles: [`${shippingFlags.maxCycles} <n>`, "tasks that are added for checks, reviews and conflicts"],
  maxFixesPerCheck: [`${shippingFlags.maxFixesPerCheck} <n>`, "tasks that are added for one check"],
  maxTasksPerThread: [`${shippingFlags.maxTasksPerThread} <n>`, "tasks that are added for one review thread"],
  interval: ["--pr-interval <duration>", "time between two looks, at least 30s"],
};

const defaults: Readonly<Record<string, unknown>> = PullRequestPolicy.parse({}, interpreted);
const parts = Object.entries(flags) as readonly [Name, readonly [flag: string, summary: string]][];

/** The option that asks for a pull request, and those that say how it is made and watched. */
export const pullRequestFlags: readonly CliOption[] = [
  {
    flags: "--pull-request",
    summary: "push the branch, open a pull request and watch it until it is green: red checks and reviews become tasks",
  },
  ...parts.map(([name, [flag, summary]]) => ({
    flags: flag,
    summary: `${summary}${shownDefault(flag, defaults[name])}`,
    ...(name === "trustedReviewers" && { repeats: true as const }),
  })),
];

function shownDefault(flag: string, value: unknown): string {
  if (!flag.includes("<") || value === null || Array.isArray(value)) return "";
  return ` (default: ${flag.endsWith("<duration>") ? renderDuration(value as number) : String(value)})`;
}

/**
 * What the command line says of a pull request; undefined where it asks for none.
 *
 * @throws {InputError} `bad-option`, `bad-number`, `bad-duration`
 */
export function readPullRequestFlags(values: OptionValues): PullRequestPolicyInput | undefined {
  const given = parts.flatMap(([name, [flag]]) => {
    const [option = flag] = flag.split(" ");
    const word = values[option.slice(2).replace(/-./g, (letter) => letter.slice(1).toUpperCase())];
    return word === undefined ? [] : [[name, option, readPart(name, option, word)] as const];
  });
  const [first] = given;
  if (values["pullRequest"] !== true && first !== undefined) {
    throw new InputError(`Cannot use ${first[1]}, expected --pull-request beside it`, { code: "bad-option" });
  }
  return values["pullRequest"] === true ? Object.fromEntries(given.map(([name, , value]) => [name, value])) : undefined;
}

function readPart(name: Name, option: string, word: string | boolean | readonly string[]): unknown {
  if (word === true) return true;
  if (Array.isArray(word)) return word.map((each: string) => parseText(option, each));
  const text = parseText(option, word as string);
  const [flag] = flags[name] as readonly [flag: string, summary: string];
  if (flag.endsWith("<n>")) return parseCount(option, text, 1);
  const value = flag.endsWith("<duration>") ? parseDuration(option, text) : text;
  const field = bare(PullRequestPolicy.shape[name]);
  if (field.safeParse(value, interpreted).success) return value;
  throw new InputError(`Cannot use ${option} \`${text}\`, expected ${expectedOf(field)}`, { code: "bad-option" });
}

/** What a value is without its default, and where it is given. */
function bare(field: z.ZodType): z.ZodType {
  if (field instanceof z.ZodDefault) return bare(field.removeDefault() as z.ZodType);
  return field instanceof z.ZodNullable ? (field.unwrap() as z.ZodType) : field;
}

function expectedOf(field: z.ZodType): string {
  if (field instanceof z.ZodEnum) return `one of ${field.options.join(", ")}`;
  const { minValue, maxValue } = field as z.ZodNumber;
  return `a time from ${renderDuration(minValue as number)} to ${renderDuration(maxValue as number)}`;
}
