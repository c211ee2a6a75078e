import * as z from "zod";
import { InputError } from "../../../model/errors.ts";
import { helpGroups, option } from "../../../model/option.ts";
import { longestGuidance, PersonDecision } from "../../../model/person-event.ts";
import { Policy } from "../../../model/policy.ts";
import { PullRequestPolicy } from "../../../model/pull-request-policy.ts";
import { LadderChoices } from "../../../model/rung.ts";
import { defaultJobs } from "../../node/find-specs.ts";
import type { OptionValues } from "../cli-command.ts";
import { parseExecutors, readExecutorArgs } from "./parse-executor.ts";
import { type Flag, flagsOf, type Given, type Options, readGiven } from "./read-flag.ts";
import { runOptions, type Settings } from "./settings.ts";

interface RunFlag extends Flag {
  readonly path: readonly string[];
}

const flagsIn = (options: Options, ...path: readonly string[]): RunFlag[] =>
  Object.entries(options)
    .flatMap(([name, schema]) => flagsOf(schema).map((each, at) => ({ ...each, path: [...path, name], at })))
    // Flags that remove remedies come after flags that add remedies.
    .sort((one, other) => one.at - other.at);

const places = [
  ...flagsIn(LadderChoices.shape, "ladder"),
  ...flagsIn(Policy.shape, "policy"),
  ...flagsIn(PullRequestPolicy.shape, "policy", "pullRequest"),
  ...flagsIn(runOptions),
];

export const runFlags: readonly RunFlag[] = helpGroups.flatMap((group) =>
  places.filter((each) => each.group === group),
);

/** Flags of `resume`, which starts no new run. */
export const resumeFlags: readonly Flag[] = runFlags.filter(({ flags }) => !flags.startsWith("--keep-runs"));

export const answerOptions = {
  guidance: option(z.string(), "of one start", "Advice for the task that stopped the run", {
    group: "Your answer",
    flags: "--guidance <text>",
    basic: true,
    summary: "advice for the task that stopped the run; every later prompt for this task contains the advice",
  }),
  decision: option(PersonDecision, "of one start", "What to do with the task that stopped the run", {
    group: "Your answer",
    flags: "--decision <choice>",
    basic: true,
    suggests: true,
    summary: `what to do with the task that stopped the run: ${PersonDecision.options.join(", ")}`,
  }),
  task: option(z.string(), "of one start", "The task whose question is answered", {
    group: "Your answer",
    flags: "--task <id>",
    basic: true,
    summary: "the task whose question you answer, when several are open",
  }),
};

export const planOptions = {
  plan: option(z.boolean(), "of one start", "Show what would be done, and start nothing", {
    group: "This start",
    flags: "--plan",
    basic: true,
    summary:
      "show the tasks that would be delegated, in order, with the check of each task and the expected time and cost; runs nothing",
  }),
};

export const allOptions = {
  all: option(z.string(), "of one start", "Run every spec below a folder", {
    group: "Many specs",
    flags: "--all <folder>",
    summary: "run every spec below this folder; specs that share a workspace run one after the other",
  }),
  jobs: option(z.int().min(1), "of one start", "Maximum number of specs at a time", {
    group: "Many specs",
    flags: "--jobs <n>",
    summary: "maximum number of specs at a time",
    unset: "one for each processor, from 2 to 4",
  }),
};

/**
 * Parse the flags of a run.
 *
 * @throws {InputError} `bad-number`, `bad-duration`, `bad-option`, `preset-unknown`
 */
export function readRunFlags(values: OptionValues): Settings {
  const said: Nested = { policy: {} };
  const { pullRequest, ...others } = values;
  if (pullRequest === true) put(said, ["policy", "pullRequest"], {});
  for (const { name, path, read, flags } of runFlags) {
    const word = others[name];
    if (word === undefined) continue;
    if (path.length === 3 && pullRequest !== true) throw misplaced(flags.replace(/ .*/, ""), "--pull-request");
    put(said, path, read(word));
  }
  const { executor: executors, executorArgs, ...settings } = said as unknown as Typed;
  const { executor, rungs } = parseExecutors(executors ?? []);
  if (settings.exec !== undefined && executor !== undefined && executor.length > 1) {
    throw new InputError("Cannot use --exec with several names of --executor, expected a single name", {
      code: "bad-option",
    });
  }
  if (settings.traceContent === true && settings.telemetry !== true) {
    throw new InputError("Cannot use --trace-content alone, expected it with --telemetry", { code: "bad-option" });
  }
  return {
    ...settings,
    ...(executor && { executor }),
    ...(rungs && { rungs }),
    ...(executorArgs && { executorArgs: readExecutorArgs(executorArgs) }),
  };
}

/** Settings before executors are parsed: an option that may be repeated is a list. */
interface Typed extends Omit<Settings, "executor" | "executorArgs"> {
  readonly executor?: readonly string[];
  readonly executorArgs?: readonly string[];
}

interface Nested {
  [name: string]: unknown;
}

function put(into: Nested, [name = "", ...more]: readonly string[], value: unknown): void {
  into[name] ??= {};
  if (more.length === 0) into[name] = value;
  else put(into[name] as Nested, more, value);
}

const misplaced = (flag: string, beside: string): InputError =>
  new InputError(`Cannot use ${flag} alone, expected it with ${beside}`, { code: "bad-option" });

/**
 * Parse the answer to a run that was stopped.
 *
 * @throws {InputError} `bad-option`
 */
export function readAnswer(values: OptionValues): Given<typeof answerOptions> {
  const { guidance, decision } = values;
  if (guidance !== undefined && decision !== undefined) {
    throw new InputError("Cannot use --guidance with --decision, expected one of them", {
      code: "bad-option",
      hint: "Guidance already retries the task: omit --decision",
    });
  }
  const { guidance: _, ...others } = answerOptions;
  // Guidance is kept unchanged, including spaces at its ends.
  const advice = typeof guidance === "string" ? { guidance: checkGuidance(guidance, "--guidance") } : {};
  return { ...readGiven(others, values), ...advice };
}

/**
 * Check the length of guidance and return it unchanged. Refuses the placeholder that printed commands show instead of
 * guidance.
 *
 * @param name Option or command that gives the guidance, for the error.
 * @throws {InputError} `bad-option`
 */
export function checkGuidance(text: string, name: string): string {
  if (text.trim() === "…") {
    throw new InputError(`Cannot use ${name} \`…\`, expected your own advice`, {
      code: "bad-option",
      hint: "Replace … in the printed command",
    });
  }
  if (text.trim() !== "" && text.length <= longestGuidance) return text;
  const given = text.length > longestGuidance ? `of ${text.length} characters` : `\`${text}\``;
  throw new InputError(`Cannot use ${name} ${given}, expected 1 to ${longestGuidance} characters`, {
    code: "bad-option",
  });
}

export interface SaidOfAll {
  readonly folder: string;
  readonly jobs: number;
}

/**
 * Parse `--all` and `--jobs`; null without `--all`.
 *
 * @throws {InputError} `bad-option`, `bad-number`
 */
export function readAll(spec: string | undefined, values: OptionValues): SaidOfAll | null {
  const { all: folder, jobs = defaultJobs() } = readGiven(allOptions, values);
  const refuse = (what: string, expected: string, hint?: string): InputError =>
    new InputError(`Cannot use ${what}, expected ${expected}`, {
      code: "bad-option",
      ...(hint !== undefined && { hint }),
    });
  if (folder === undefined) {
    if (values["jobs"] === undefined) return null;
    throw refuse("--jobs for one spec", "it with --all");
  }
  if (spec !== undefined) {
    const hint = "Omit the spec to run all specs below the folder, or omit --all to run only this spec";
    throw refuse(`--all with the spec \`${spec}\``, "one of them", hint);
  }
  if (values["plan"] !== undefined) throw refuse("--plan with --all", "one spec to look at");
  if (values["inspect"] !== undefined) throw refuse("--inspect with --all", "one spec to inspect");
  if (values["watch"] !== undefined) {
    const hint = "Watch all of them from another terminal: fixpoint watch <folder>";
    throw refuse("--watch with --all", "one spec to watch", hint);
  }
  if (values["reporter"] === "tree") {
    const hint = "Several runs are reported line by line, each with the name of its spec";
    throw refuse("--reporter tree with --all", "plain or json", hint);
  }
  return { folder, jobs };
}

/** Option that `typedOptions` omits, since a command line shows the workspace separately. */
const apart = "cwd";

/** Options that apply to a single start. */
const momentary = new Set(["yes", "accept", "takeOver", "newRun"]);

const ofRun = new Set(runFlags.map(({ name }) => name));

/**
 * Render the options of this call as words of a `run` command line. Options that `run` does not have are omitted.
 *
 * @param hasBegun Whether the run has begun; if so, options for a single start are omitted.
 */
export const typedOptions = (values: OptionValues, hasBegun = true): string[] =>
  Object.entries(values).flatMap(([name, value]) => {
    if (value === undefined || name === apart || !ofRun.has(name) || (hasBegun && momentary.has(name))) return [];
    const word = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    if (typeof value === "boolean") return [value ? `--${word}` : `--no-${word}`];
    return (typeof value === "string" ? [value] : value).flatMap((each) => [`--${word}`, each]);
  });
