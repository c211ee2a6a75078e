import { commandExecutor, presetExecutor, whyMissing } from "../../../adapters/command-executor.ts";
import { forgeVariables } from "../../../adapters/forge/carrier.ts";
import type { Trouble } from "../../../adapters/presets/setup/tool-environment.ts";
import { redactSecrets } from "../../../adapters/processes/redact-secrets.ts";
import type { Environment } from "../../../adapters/processes/run-command.ts";
import { chainsFor, isHandOut } from "../../../effects/executor-chain.ts";
import type { InputError } from "../../../model/errors.ts";
import type { Policy } from "../../../model/policy.ts";
import type { PermissionLevel, Reply } from "../../../model/reply.ts";
import { type Role, supportingRoles } from "../../../model/role.ts";
import type { Rung } from "../../../model/rung.ts";
import type { Instructions } from "../../../ports/delegation-parts.ts";
import type { Executor, ExecutorChain, Executors, HandOut } from "../../../ports/executor.ts";
import type { ExecutorChoice, ExecutorOption, RunOptions } from "../run-options.ts";
import { callOf, checkHeld, lineOf, refusalOf, troublesOf } from "./executor-call.ts";
import { redactReplies } from "./redact-replies.ts";

type Choices = RunOptions["executors"];

/** Folder and environment in which executors work. */
interface ExecutorPlace {
  /** Absolute folder, to which paths of programs may be relative. */
  readonly workspace: string;
  readonly outputFolder: string;
  /** Variables of programs in addition to the variables of this process (none by default). */
  readonly env?: Environment;
}

/**
 * Create the executor, or chain of executors, of every role and rung. Functions get a time limit. Secrets are redacted
 * from all replies.
 *
 * @param commands The commands that tools with `edit` permissions may run.
 * @param checkFence Throws when another coordinator has taken over the spec; called right before an executor begins.
 */
export function resolveExecutors(
  { executor, rungs = {}, ...supporting }: Choices,
  { taskTimeout, idleTimeout, maxOutput, permissions, pullRequest }: Policy,
  commands: () => readonly string[],
  { workspace, outputFolder, env = {} }: ExecutorPlace,
  checkFence: () => void,
): Executors {
  const limits = {
    ...{ outputFolder, folder: workspace, env },
    taskTimeoutMs: taskTimeout,
    ...(idleTimeout !== null && { idleTimeoutMs: idleTimeout }),
    ...(maxOutput !== null && { outputCapBytes: maxOutput }),
    ...(pullRequest !== undefined && { without: forgeVariables }),
  };
  const resolve = (option: ExecutorOption): Executor => {
    if (typeof option === "function") return limitExecutor(option, taskTimeout);
    if (typeof option === "string") return commandExecutor({ command: option, ...limits });
    const { preset, ...how } = option;
    return presetExecutor(preset, { ...limits, ...how, permissions, commands });
  };
  const redact = redactSecrets(process.env);
  const fenced = (execute: Executor): Executor => {
    return async (delegation, signal, progress) => {
      checkFence();
      return execute(delegation, signal, progress);
    };
  };
  const chain = (choice: ExecutorChoice): ExecutorChain =>
    optionsIn(choice).map((option) =>
      isGiven(option)
        ? Object.assign(redactReplies(option, redact), {
            nonceHashOf: option.nonceHashOf,
            instructions: option.instructions,
          })
        : Object.assign(fenced(redactReplies(resolve(option), redact)), { instructions: instructionsOf(option) }),
    ) as [Executor, ...Executor[]];
  return {
    executor: chain(executor),
    rungs: Object.fromEntries(Object.entries(rungs).map(([rung, choice]) => [rung, chain(choice)])),
    ...Object.fromEntries(
      supportingRoles.flatMap((role) => {
        const choice = supporting[role];
        return choice === undefined ? [] : [[role, chain(choice)]];
      }),
    ),
  };
}

/**
 * Return a function that checks whether the executor of a role and number is a program, which writes its output to a
 * file while it works.
 */
export function programsAmong(choices: Choices): (role: Role, number: number) => boolean {
  const known = new Map<Role, readonly boolean[]>();
  const programsOf = (role: Role): readonly boolean[] =>
    chainsFor<ExecutorChoice>(choices, role).flatMap((choice) =>
      choice === undefined ? [] : optionsIn(choice).map((option) => typeof option !== "function"),
    );
  return (role, number) => {
    const programs = known.get(role) ?? programsOf(role);
    known.set(role, programs);
    return programs[number] === true;
  };
}

interface Checked {
  /** Absolute. */
  readonly workspace: string;
  readonly permissions: PermissionLevel;
  readonly commands: readonly string[];
  readonly onLeftOut: (name: Role | Rung, reason: string) => void;
  /** Called once for each trouble that may keep a tool from working. */
  readonly onDoubt: (doubt: Trouble) => void;
}

/**
 * Refuse executors that cannot be restricted, whatever else a start finds out about them.
 *
 * @throws {InputError} `permissions-not-held`
 */
export function refuseUnheld({ rungs = {}, ...roles }: Choices, permissions: PermissionLevel): void {
  const named = [...Object.entries(roles), ...Object.entries(rungs)] as [Role | Rung, ExecutorChoice | undefined][];
  for (const [name, choice] of named) {
    for (const option of choice === undefined ? [] : optionsIn(choice)) checkHeld(name, option, permissions);
  }
}

/**
 * Drop programs that are missing and tools that would refuse to work in this workspace, as long as another executor of
 * the chain remains.
 *
 * @throws {InputError} `executor-not-found`, `executor-refuses`, `permissions-not-held`, `command-unreadable`,
 * `preset-unknown`
 */
export function checkExecutors(
  { rungs = {}, ...roles }: Choices,
  { workspace, permissions, commands, onLeftOut, onDoubt }: Checked,
): Choices {
  refuseUnheld({ ...roles, rungs }, permissions);
  const doubts = new Map<string, Trouble>();
  const checked = <Name extends Role | Rung>(choices: Readonly<Partial<Record<Name, ExecutorChoice>>>) =>
    Object.fromEntries(
      (Object.entries(choices) as [Name, ExecutorChoice | undefined][]).flatMap(([name, choice]) =>
        choice === undefined ? [] : [[name, checkChain(name, choice)] as const],
      ),
    );
  const all = { ...checked<Role>(roles), rungs: checked<Rung>(rungs) } as unknown as Choices;
  for (const doubt of doubts.values()) onDoubt(doubt);
  return all;

  function checkChain(name: Role | Rung, choice: ExecutorChoice): readonly ExecutorOption[] {
    const options = optionsIn(choice);
    const refused = new Map<ExecutorOption, InputError>();
    for (const option of options) {
      const reason = whyNot(option);
      if (reason !== null) refused.set(option, reason);
    }
    if (refused.size === options.length) throw refused.get(options[0] as ExecutorOption) as InputError;
    for (const { message } of refused.values()) onLeftOut(name, message);
    return options.filter((option) => !refused.has(option));
  }

  function whyNot(option: ExecutorOption): InputError | null {
    const call = callOf(option, permissions, commands);
    if (call === null) return null;
    const [program = ""] = call.words;
    const missing = whyMissing(program, workspace);
    if (missing !== null) return missing;
    const troubles = troublesOf(option, call, workspace);
    for (const trouble of troubles) if (!trouble.certain) doubts.set(trouble.what, trouble);
    return refusalOf(troubles);
  }
}

/** List the command lines of known tools by role and rung, including options that fixpoint adds for permissions. */
export function linesOf(
  { rungs = {}, ...roles }: Choices,
  permissions: PermissionLevel,
  commands: readonly string[],
): readonly { readonly role: Role | Rung; readonly line: string }[] {
  const redact = redactSecrets(process.env);
  return (Object.entries({ ...roles, ...rungs }) as [Role | Rung, ExecutorChoice][]).flatMap(([role, choice]) =>
    optionsIn(choice).flatMap((option) => {
      const call = typeof option === "string" ? null : callOf(option, permissions, commands);
      return call === null ? [] : [{ role, line: redact(lineOf(call)) }];
    }),
  );
}

/**
 * Instructions for the prompt of a function. A known tool gets the usual instructions even with a schema, since its
 * message may still be parsed as text.
 */
const instructionsOf = (option: ExecutorOption): Instructions | undefined =>
  typeof option === "function" ? option.instructions : undefined;

const isGiven = (option: ExecutorOption): option is HandOut => typeof option === "function" && isHandOut(option);

export const optionsIn = (choice: ExecutorChoice): readonly ExecutorOption[] =>
  Array.isArray(choice) ? (choice as readonly ExecutorOption[]) : [choice as ExecutorOption];

/**
 * Limit the time of a function. The signal of the function aborts at the limit or when the run stops. A function that
 * does not return within the grace time is abandoned, and its reply is ignored. After a stop the function is not called
 * at all.
 *
 * @param timeoutMs Time until the signal of the function is aborted.
 * @param graceMs Time from the abort until the function is abandoned.
 */
export function limitExecutor(execute: Executor, timeoutMs: number, graceMs = 5000): Executor {
  return async (delegation, signal, progress) => {
    if (signal.aborted) return { text: "", ended: "signal" };
    const limit = new AbortController();
    const timers = new Set<NodeJS.Timeout>();
    let ended: "timeout" | "signal" = "timeout";
    const stopped = (): Reply => ({ text: "", ended, ...(ended === "timeout" && { limit: timeoutMs }) });
    const interrupt = (): void => {
      ended = "signal";
      limit.abort(signal.reason);
    };
    timers.add(setTimeout(() => limit.abort(), timeoutMs));
    signal.addEventListener("abort", interrupt);
    const letGo = new Promise<Reply>((resolve) => {
      limit.signal.addEventListener("abort", () => {
        timers.add(setTimeout(() => resolve(stopped()), graceMs));
      });
    });
    try {
      return await Promise.race([execute(delegation, limit.signal, progress), letGo]);
    } catch (error) {
      if (limit.signal.aborted && ended === "timeout") return stopped();
      throw error;
    } finally {
      for (const timer of timers) clearTimeout(timer);
      signal.removeEventListener("abort", interrupt);
    }
  };
}
