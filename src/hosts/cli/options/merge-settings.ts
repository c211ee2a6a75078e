import { resolve } from "node:path";
import { throughShell } from "../../../model/command-line.ts";
import { InputError } from "../../../model/errors.ts";
import { type PolicyInput, policyOver } from "../../../model/policy.ts";
import { limitNames } from "../../../model/raised-limits.ts";
import type { Rung } from "../../../model/rung.ts";
import { claimants } from "../../node/executors/known-tools.ts";
import type { ExecutorChoice, ExecutorOption, RunOptions } from "../../node/run-options.ts";
import { type StartOptions, startOptions } from "../../node/start-options.ts";
import type { Config } from "./config.ts";
import { checkExecutorArgs, parseRungExecutors, withArgs } from "./parse-executor.ts";
import { type ExecutorArgs, type ReporterName, roleOptions, type Settings } from "./settings.ts";

/** Settings that suffice for a run: what it is told, and how it is reported. */
export interface RunSettings
  extends StartOptions,
    Required<Pick<RunOptions, "executors" | "policy" | "ladder" | "fromFiles">> {
  /** Absolute. */
  readonly cwd: string;
  readonly reporter: ReporterName | undefined;
}

interface Advice {
  readonly example?: string;
  readonly doubt?: string | null;
  readonly executor?: ExecutorOption | undefined;
  readonly standIn?: ExecutorOption | undefined;
}

/**
 * Command line over file over another system's settings over default. Defaults of limits are left to the policy.
 *
 * @param folder The current folder; a workspace in the file is relative to the file instead.
 * @param planned What the other system's settings say.
 * @param advice Of the error about a missing executor: a command line that names one, and why the one that was named
 *   before does not count. `executor`: who does the tasks, whoever is named;
 *   `standIn`: where nobody is.
 * @throws {InputError} `no-executor`, `bad-option`
 */
export function mergeSettings(
  given: Settings,
  config: Config | null,
  folder: string,
  planned: Pick<Settings, "policy" | "ladder"> = { policy: {} },
  { example = "fixpoint run --executor claude", doubt = null, executor: outside, standIn }: Advice = {},
): RunSettings {
  const file = config?.settings;
  const all = { ...file, ...given };
  const named = isNamed(given) || file === undefined ? given : file;
  const args = argsIn(given, config);
  const chosen = chooseExecutor(named, args);
  const asked = chooseRungs(given, file, args);
  // What a file gives to a tool that the command line does not call is for other starts.
  if (given.executorArgs !== undefined || named === file) checkExecutorArgs(args, [chosen, ...Object.values(asked)]);
  const { retry, ...others } = asked;
  // Who repeats an attempt is who made it first, when nobody else is named.
  const executor = outside ?? chosen ?? retry ?? standIn;
  const rungs =
    outside !== undefined ? {} : { ...(chosen !== undefined && retry !== undefined && { retry }), ...others };
  if (executor === undefined) {
    throw new InputError("Cannot run without an executor, expected --executor or --exec, here or in the config file", {
      code: "no-executor",
      hint: `${doubt === null ? "" : `${doubt}\n`}For example: ${example}`,
    });
  }
  const executors = {
    executor,
    ...(Object.keys(rungs).length > 0 && { rungs }),
    ...Object.fromEntries(
      roleOptions.flatMap(({ role, name }) => {
        const command = all[name];
        return command === undefined || command === "off" ? [] : [[role, throughShell(command)]];
      }),
    ),
  };
  const passedOn = Object.entries(all).filter(([name]) => name in startOptions);
  const { notify, ...options }: StartOptions = Object.fromEntries(passedOn);
  return {
    ...options,
    ...(notify !== undefined && notify !== "off" && { notify }),
    executors: all.structuredClaim === true ? claimingBySchema(executors) : executors,
    cwd: chooseWorkspace(given.cwd, config, folder),
    reporter: all.reporter,
    policy: [file?.policy ?? {}, given.policy].reduce(policyOver, planned.policy),
    ladder: { ...planned.ladder, ...file?.ladder, ...given.ladder },
    fromFiles: Object.fromEntries(
      Object.entries({ ...limitsIn(planned.policy), ...limitsIn(file?.policy ?? {}), ...config?.acting }).filter(
        ([name]) => !isGiven(given, name),
      ),
    ),
  };
}

const limitsIn = (policy: PolicyInput): Readonly<Record<string, string>> =>
  Object.fromEntries(limitNames.flatMap((name) => (policy[name] === undefined ? [] : [[name, String(policy[name])]])));

/** Flags of tools, by tool: those of the command line, else those of the file. */
export const argsIn = (given: Settings, config: Config | null): ExecutorArgs =>
  given.executorArgs ?? config?.settings.executorArgs ?? {};

/** Who is asked on a rung: what the command line says of rungs goes before what the file says. */
function chooseRungs(
  given: Settings,
  file: Settings | undefined,
  args: ExecutorArgs,
): Partial<Record<Rung, readonly ExecutorOption[]>> {
  const named = isNamed(given) ? given : file;
  const [tool] = named?.executor ?? [];
  const commands = tool === undefined || named?.exec === undefined ? {} : { [tool]: named.exec };
  const rungs = given.rungs ?? file?.rungs ?? {};
  return Object.fromEntries(
    Object.entries(rungs).map(([rung, who]) => [rung, withArgs(parseRungExecutors(who, commands), args)]),
  );
}

/** Whether the command line sets an option. What calls the executor is one choice. */
function isGiven(given: Settings, name: string): boolean {
  if (name === "executor" || name === "exec") return isNamed(given);
  // What the command line does not say of it is still the file's.
  if (name === "pullRequest") return false;
  return { ...given.policy, ...given }[name as "scope"] !== undefined;
}

const isNamed = ({ executor, exec }: Settings): boolean => executor !== undefined || exec !== undefined;

/** The same, of which the tools that can claim in the form of a schema do. */
function claimingBySchema({ executor, rungs = {}, ...others }: RunOptions["executors"]): RunOptions["executors"] {
  let claiming = 0;
  const choose = (choice: ExecutorChoice): ExecutorChoice =>
    (Array.isArray(choice) ? (choice as readonly ExecutorOption[]) : [choice as ExecutorOption]).map((option) => {
      if (typeof option !== "object" || !claimants.includes(option.preset)) return option;
      claiming += 1;
      return { ...option, structuredClaim: true };
    });
  const chosen = {
    ...others,
    executor: choose(executor),
    rungs: Object.fromEntries(Object.entries(rungs).map(([rung, choice]) => [rung, choose(choice)])),
  };
  if (claiming > 0) return chosen;
  throw new InputError(`Cannot use --structured-claim, expected --executor with ${claimants.join(" or ")}`, {
    code: "bad-option",
  });
}

/** A command beside the name of a tool is how that is called. */
function chooseExecutor({ executor, exec }: Settings, args: ExecutorArgs): ExecutorChoice | undefined {
  if (executor === undefined) return exec === undefined ? exec : throughShell(exec);
  const tools = executor.map((preset) => (exec === undefined ? { preset } : { preset, command: exec }));
  return withArgs(tools, args);
}

/** A line for each command line that a shell runs, since it has operators of one. */
export function tellShells(given: Settings, config: Config | null): string[] {
  const all = { ...config?.settings, ...given };
  const lines = [all.executor === undefined ? all.exec : undefined, ...roleOptions.map(({ name }) => all[name])];
  return lines.flatMap((line = "") => (throughShell(line) === line ? [] : [`A shell runs it: ${throughShell(line)}`]));
}

/**
 * The absolute folder in which commands work.
 *
 * @param given On the command line, relative to the current folder.
 * @param folder The current folder, which is the default; a workspace in the file is relative to the file instead.
 */
export function chooseWorkspace(given: string | undefined, config: Config | null, folder: string): string {
  if (given !== undefined) return resolve(folder, given);
  const ofFile = config?.settings.cwd;
  return config === null || ofFile === undefined ? folder : resolve(config.folder, ofFile);
}
