import { closeSync } from "node:fs";
import { openOutput, readTail } from "../../../adapters/processes/open-output.ts";
import { runCommand } from "../../../adapters/processes/run-command.ts";
import { whyTooLong } from "../../../adapters/processes/shell-command.ts";
import { shell } from "../../../adapters/shell.ts";
import { proseVerify } from "../../../markdown/lint/find-verify-problems.ts";
import { finding } from "../../../markdown/lint/finding.ts";
import { firstProgram } from "../../../markdown/lint/judge-command.ts";
import { readVerify } from "../../../markdown/tasks/read-verify.ts";
import { commandLine, type SpecAddress } from "../../../model/command-line.ts";
import { doubtCommand, whyNoProgram } from "../../../model/doubtful-command.ts";
import { InputError } from "../../../model/errors.ts";
import type { Plan } from "../../../model/plan.ts";
import { lintProblem, type Problem } from "../../../model/rule.ts";
import type { Task } from "../../../model/task.ts";
import { countOf } from "../../../model/text.ts";
import type { Shell } from "../../../ports/shell.ts";

const atOnce = 8;

/**
 * Find Verify commands of open tasks that cannot work on this machine. Runs nothing of the plan.
 *
 * @param workspace Absolute folder in which a run would execute the commands.
 * @throws {EnvironmentError} `command-not-started` when the workspace does not exist.
 */
export async function checkVerify(
  tasks: readonly Task[],
  workspace: string,
  signal: AbortSignal,
): Promise<readonly Problem[]> {
  const { exists } = shell({ workspace });
  // Fix tasks copy the Verify of their original.
  const open = tasks.filter(({ done, fixOf }) => !done && fixOf === null);
  const asked = new Map<string, Promise<string | null>>();
  const problems: Problem[] = [];
  for (let from = 0; from < open.length && !signal.aborted; from += atOnce) {
    const found = await Promise.all(open.slice(from, from + atOnce).map(checkTask));
    problems.push(...found.flat());
  }
  return problems;

  async function checkTask({ id, line, fields }: Task): Promise<Problem[]> {
    const verify = readVerify(fields.verify);
    if (verify.kind === "unrunnable") return [];
    const { command, word } = verify;
    // The linter has already reported this command.
    if (doubtCommand(command) !== null) return [];
    const tooLong = whyTooLong(command);
    if (tooLong !== null) return [broken(id, line, tooLong)];
    if (word !== null && !word.includes("/") && !(await exists(word))) {
      return [finding("unrunnable-verify", line, id, whyNoProgram(command, word).why)];
    }
    const program = await missingProgram(command, exists);
    if (program !== null) {
      const { why, hint } = whyNoProgram(command, program);
      return [broken(id, line, why, hint === null ? undefined : `${hint}.`)];
    }
    const answer = asked.get(command) ?? findSyntaxError(command, workspace, signal);
    asked.set(command, answer);
    const error = await answer;
    return error === null ? [] : [broken(id, line, `the shell cannot parse it: ${error}`)];
  }
}

/**
 * Refuse a plan in which the Verify of an open task is a sentence, or follows a shell prompt, and would still be run.
 *
 * @param workspace Absolute.
 * @throws {InputError} `verify-unclear`
 */
export async function refuseProse({ tasks }: Plan, path: string, workspace: string): Promise<void> {
  const { exists } = shell({ workspace });
  const found: Problem[] = [];
  for (const task of tasks) {
    const problem = task.done || task.fixOf !== null ? null : proseVerify(task);
    const verify = problem === null ? null : readVerify(task.fields.verify);
    if (problem === null || verify?.kind !== "command") continue;
    // A sentence is not run unless its first word is a program.
    const isRun =
      verify.word === null || doubtCommand(verify.command)?.kind === "prompt" || (await exists(verify.word));
    if (isRun) found.push(problem);
  }
  if (found.length === 0) return;
  const list = found.map(({ line, rule, message }) => `  line ${line} ${rule}: ${message}`).join("\n");
  throw new InputError(`Cannot run the plan at ${path}:\n${list}`, {
    code: "verify-unclear",
    hint: (found[0] as Problem).hint,
  });
}

async function missingProgram(command: string, exists: Shell["exists"]): Promise<string | null> {
  const program = firstProgram(command);
  return program !== null && !(await exists(program)) ? program : null;
}

/**
 * List open tasks with a Verify whose program is missing, a line each. Runs no Verify.
 *
 * @param commands The Verify commands of the plan without duplicates; tasks are searched only if the program of a
 * command is missing.
 * @param workspace Absolute.
 */
export async function reportMissing(
  { tasks }: Plan,
  { commands, workspace, address }: MissingSources,
): Promise<readonly string[]> {
  const { exists } = shell({ workspace });
  const missing = new Map<string, string>();
  for (const command of commands) {
    // If no shell can be started, skip the command: a later check refuses the start.
    const program = await missingProgram(command, exists).catch(() => null);
    if (program !== null) missing.set(command, program);
  }
  if (missing.size === 0) return [];
  const told = tasks.flatMap(({ id, done, fixOf, fields }) => {
    const verify = done || fixOf !== null ? null : readVerify(fields.verify);
    const program = verify?.kind === "command" ? missing.get(verify.command) : undefined;
    if (program === undefined || verify?.kind !== "command") return [];
    const { why, hint } = whyNoProgram(verify.command, program);
    return [`The Verify of ${id} cannot run here: ${why}${hint === null ? "" : `. ${hint}`}`];
  });
  const more = told.length - mostTold;
  if (more <= 0) return told;
  return [
    ...told.slice(0, mostTold),
    `The same applies to ${countOf(more, "other task", "other tasks")}: ${commandLine(address, "lint")}`,
  ];
}

const mostTold = 3;

interface MissingSources {
  readonly commands: readonly string[];
  readonly workspace: string;
  readonly address: SpecAddress;
}

const broken = (
  id: string,
  line: number,
  reason: string,
  hint = "Correct the command, install what it needs, or name the workspace with --cwd.",
): Problem => lintProblem("broken-verify", line, `The Verify of task \`${id}\` cannot work here: ${reason}`, hint);

const keptBytes = 4096;
/** Prefix of error messages of dash and bash, with the name of the shell and the line: `sh: 1: ` and `sh: line 1: `. */
const speaker = /^[^:\n]*: (?:line )?\d+: /;

/**
 * Parse a command with the shell, without executing it. Returns the error, or null if it is valid.
 *
 * @throws {EnvironmentError} `command-not-started`
 */
async function findSyntaxError(command: string, workspace: string, signal: AbortSignal): Promise<string | null> {
  const stderr = openOutput();
  try {
    // Pass the command as input, because some shells execute a `-c` command even with `-n`.
    const options = { cwd: workspace, env: process.env, stdin: `${command}\n`, stderr, timeoutMs: 10_000 };
    const { exitCode } = await runCommand("sh", ["-n"], options, signal);
    if (exitCode === 0 || exitCode === null) return null;
    const [line = ""] = readTail(stderr, keptBytes).split("\n");
    return line.replace(speaker, "");
  } finally {
    closeSync(stderr);
  }
}
