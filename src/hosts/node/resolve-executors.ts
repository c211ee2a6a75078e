import { commandExecutor, commandExists } from "../../adapters/command-executor.ts";
import { presetExecutor } from "../../adapters/preset-executor.ts";
import { findPreset } from "../../adapters/presets/find-preset.ts";
import { redactSecrets } from "../../adapters/redact-secrets.ts";
import { InputError } from "../../model/errors.ts";
import type { Policy, Rung } from "../../model/policy.ts";
import type { Role } from "../../model/task.ts";
import type { Executor, ExecutorChain, Executors } from "../../ports.ts";
import { limitExecutor } from "./limit-executor.ts";
import { redactReplies } from "./redact-replies.ts";
import type { ExecutorChoice, ExecutorOption, RunOptions } from "./run-options.ts";

type Choices = RunOptions["executors"];

/**
 * An executor, or a chain of them, for every role and rung: programs as they are, functions held to the time limit.
 * Their replies are told without secrets.
 *
 * @param checkFence Throws when another coordinator has taken the spec over; called right before one of them begins.
 */
export function resolveExecutors(
  { executor, rungs = {}, verifier, reviewer, operator }: Choices,
  { taskTimeout, idleTimeout }: Policy,
  outputFolder: string,
  checkFence: () => void,
): Executors {
  const limits = {
    outputFolder,
    taskTimeoutMs: taskTimeout,
    ...(idleTimeout !== null && { idleTimeoutMs: idleTimeout }),
  };
  const resolve = (option: ExecutorOption): Executor => {
    if (typeof option === "function") return limitExecutor(option, taskTimeout);
    if (typeof option === "string") return commandExecutor({ command: option, ...limits });
    const { preset, ...how } = option;
    return presetExecutor(preset, { ...limits, ...how });
  };
  const redact = redactSecrets(process.env);
  const fenced = (execute: Executor): Executor => {
    return async (delegation, signal) => {
      checkFence();
      return execute(delegation, signal);
    };
  };
  const chain = (choice: ExecutorChoice): ExecutorChain =>
    optionsIn(choice).map((option) => fenced(redactReplies(resolve(option), redact))) as [Executor, ...Executor[]];
  return {
    executor: chain(executor),
    rungs: Object.fromEntries(Object.entries(rungs).map(([rung, choice]) => [rung, chain(choice)])),
    ...(verifier !== undefined && { verifier: chain(verifier) }),
    ...(operator !== undefined && { operator: chain(operator) }),
    ...(reviewer !== undefined && { reviewer: chain(reviewer) }),
  };
}

/**
 * Leave out the programs that are not there, where another of their chain is.
 *
 * @param onMissing Told of each that is left out.
 * @throws {InputError} `executor-not-found`, `command-unreadable`, `preset-unknown`
 */
export function checkExecutors(
  { rungs = {}, ...roles }: Choices,
  workspace: string,
  onMissing: (role: Role | Rung, reason: string) => void,
): Choices {
  const checked = <Name extends Role | Rung>(choices: Readonly<Partial<Record<Name, ExecutorChoice>>>) =>
    Object.fromEntries(
      (Object.entries(choices) as [Name, ExecutorChoice | undefined][]).flatMap(([name, choice]) =>
        choice === undefined ? [] : [[name, checkChain(name, choice)] as const],
      ),
    );
  return { ...checked<Role>(roles), rungs: checked<Rung>(rungs) } as unknown as Choices;

  function checkChain(name: Role | Rung, choice: ExecutorChoice): readonly ExecutorOption[] {
    const options = optionsIn(choice);
    const missing = new Map<ExecutorOption, InputError>();
    for (const option of options) {
      const reason = whyMissing(option);
      if (reason !== null) missing.set(option, reason);
    }
    if (missing.size === options.length) throw missing.get(options[0] as ExecutorOption) as InputError;
    for (const { message } of missing.values()) onMissing(name, message);
    return options.filter((option) => !missing.has(option));
  }

  function whyMissing(option: ExecutorOption): InputError | null {
    if (typeof option === "function") return null;
    try {
      commandExists(
        typeof option === "string" ? option : (option.command ?? findPreset(option.preset).command),
        workspace,
      );
      return null;
    } catch (error) {
      if (error instanceof InputError && error.code === "executor-not-found") return error;
      throw error;
    }
  }
}

const optionsIn = (choice: ExecutorChoice): readonly ExecutorOption[] =>
  Array.isArray(choice) ? (choice as readonly ExecutorOption[]) : [choice as ExecutorOption];
