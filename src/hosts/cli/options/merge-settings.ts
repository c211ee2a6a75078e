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
 * Merge settings. The command line overrides the file; the file overrides the settings of another system, such as GSD.
 * Limits that are not set stay undefined: the policy has their defaults.
 *
 * @param folder The current folder, to which a workspace on the command line is relative.
 * @param planned Settings of the other system.
 * @param advice `executor` replaces any named executor; `standIn` is used if none is named. The error about a missing
 * executor shows `doubt`, the reason why a remembered executor is not used, and `example`, a command line that names an
 * executor.
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
  // The file may hold arguments of tools that this start does not call.
  if (given.executorArgs !== undefined || named === file) checkExecutorArgs(args, [chosen, ...Object.values(asked)]);
  const { retry, ...others } = asked;
  // If no other executor is named, the executor for retries also makes the first attempt.
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

export const argsIn = (given: Settings, config: Config | null): ExecutorArgs =>
  given.executorArgs ?? config?.settings.executorArgs ?? {};

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

/** Whether the command line sets an option. `executor` and `exec` count as one choice. */
function isGiven(given: Settings, name: string): boolean {
  if (name === "executor" || name === "exec") return isNamed(given);
  // The command line may override only a part of `pullRequest`.
  if (name === "pullRequest") return false;
  return { ...given.policy, ...given }[name as "scope"] !== undefined;
}

const isNamed = ({ executor, exec }: Settings): boolean => executor !== undefined || exec !== undefined;

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

/** Choose the executor. A command together with a tool replaces the command line of the tool. */
function chooseExecutor({ executor, exec }: Settings, args: ExecutorArgs): ExecutorChoice | undefined {
  if (executor === undefined) return exec === undefined ? exec : throughShell(exec);
  const tools = executor.map((preset) => (exec === undefined ? { preset } : { preset, command: exec }));
  return withArgs(tools, args);
}

/** Render a notice for each command line that needs a shell because it has shell operators. */
export function renderShells(given: Settings, config: Config | null): string[] {
  const all = { ...config?.settings, ...given };
  const lines = [all.executor === undefined ? all.exec : undefined, ...roleOptions.map(({ name }) => all[name])];
  return lines.flatMap((line = "") =>
    throughShell(line) === line ? [] : [`This command line runs in a shell: ${throughShell(line)}`],
  );
}

/**
 * Choose the absolute folder in which commands run: the given workspace, else the workspace of the file, else `folder`.
 *
 * @param given Workspace from the command line, relative to the current folder.
 * @param folder The current folder.
 */
export function chooseWorkspace(given: string | undefined, config: Config | null, folder: string): string {
  if (given !== undefined) return resolve(folder, given);
  const ofFile = config?.settings.cwd;
  return config === null || ofFile === undefined ? folder : resolve(config.folder, ofFile);
}
