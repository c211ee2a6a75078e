import { closeSync } from "node:fs";
import { plainLine } from "../../markdown/text/plain-line.ts";
import { EnvironmentError } from "../../model/errors.ts";
import { openOutputs } from "../processes/open-output.ts";
import { readTail } from "../processes/read-tail.ts";
import { type Environment, runCommand } from "../processes/run-command.ts";

export interface GitCall {
  readonly cwd: string;
  /** The whole input (none by default). */
  readonly stdin?: string;
  /** Whether hooks of the repository run, as they do at a push (not by default). */
  readonly hooks?: boolean;
  /** How long it may take (30 s by default). */
  readonly timeoutMs?: number;
  /** Ends it. */
  readonly signal?: AbortSignal;
}

/** How a call of git ended. */
export interface GitEnd {
  /** Null when a limit or a signal ended it. */
  readonly exitCode: number | null;
  readonly stdout: string;
  /** In English, whatever the locale. */
  readonly stderr: string;
}

/**
 * Run git for a question, or for a commit or push of our own. No monitor of the repository runs, nor, where it is not
 * asked for, a hook; git never prompts.
 * Paths are taken literally, and inherited variables of a hook do not lead to another repository.
 *
 * @returns Null when git cannot be started.
 */
export async function callGit(
  args: readonly string[],
  { cwd, stdin = "", hooks = false, timeoutMs = defaultTimeoutMs, signal = new AbortController().signal }: GitCall,
): Promise<GitEnd | null> {
  const { stdout, stderr } = openOutputs();
  try {
    const { exitCode, ended } = await runCommand(
      "git",
      [...(hooks ? settings : [noHooks, ...settings]).flatMap((setting) => ["-c", setting]), ...args],
      { cwd, env: gitEnvironment(process.env), stdin, stdout, stderr, timeoutMs, outputCapBytes },
      signal,
    );
    return {
      exitCode: ended === "exit" ? exitCode : null,
      stdout: readTail(stdout, outputCapBytes),
      stderr: readTail(stderr, keptStderrBytes),
    };
  } catch (error) {
    if (error instanceof EnvironmentError && error.code === "command-not-started") return null;
    throw error;
  } finally {
    closeSync(stdout);
    closeSync(stderr);
  }
}

const noHooks = "core.hooksPath=/dev/null";
const settings = [
  "core.fsmonitor=",
  // Maintenance would go on in the background, and be killed with the call.
  "gc.auto=0",
  "maintenance.auto=false",
  "i18n.commitEncoding=UTF-8",
];

const defaultTimeoutMs = 30_000;
const outputCapBytes = 64 * 1024 * 1024;
const keptStderrBytes = 64 * 1024;

const gitEnvironment = (env: Environment): Environment => ({
  ...Object.fromEntries(Object.entries(env).filter(([name]) => !misleading.test(name))),
  GIT_OPTIONAL_LOCKS: "0",
  GIT_TERMINAL_PROMPT: "0",
  GIT_LITERAL_PATHSPECS: "1",
  // Its messages are parsed.
  LC_ALL: "C",
});

/** Variables that lead git elsewhere, make it read paths as patterns, or add output between its messages. */
const misleading =
  /^GIT_(?:DIR|WORK_TREE|IMPLICIT_WORK_TREE|COMMON_DIR|INDEX_FILE|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|QUARANTINE_PATH|NAMESPACE|PREFIX|INTERNAL_SUPER_PREFIX|GRAFT_FILE|SHALLOW_FILE|REPLACE_REF_BASE|CONFIG|CONFIG_PARAMETERS|(?:GLOB|NOGLOB|ICASE)_PATHSPECS|TRACE\w*)$/;

/** How many characters of a message of git are kept. */
const maxReason = 500;

/** The error for something that git refused to do. */
export const gitRefused = (verb: string, where: string, reason: string): EnvironmentError =>
  new EnvironmentError(`Cannot ${verb} in \`${plainLine(where, maxReason)}\`: ${plainLine(reason, maxReason)}`, {
    code: "git-refused",
    hint: "Make git accept it there by hand, then run again to go on",
  });

/** The last message of git about why it ended. */
export function reasonOf(end: GitEnd | null): string {
  if (end === null) return "git cannot be started";
  if (end.exitCode === null) return "git was ended before it was done";
  const last = end.stderr.split("\n").findLast((line) => line.trim() !== "" && !line.startsWith("hint:"));
  return last ?? `git ended with ${end.exitCode}`;
}
