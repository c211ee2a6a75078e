import { closeSync } from "node:fs";
import { EnvironmentError } from "../../model/errors.ts";
import { openOutputs } from "../processes/open-output.ts";
import { readTail } from "../processes/read-tail.ts";
import { type Environment, runCommand } from "../processes/run-command.ts";

export interface GitCall {
  readonly cwd: string;
  /** The whole input (none by default). */
  readonly stdin?: string;
  /** Run the hooks of the repository, as a push does. Default: false. */
  readonly hooks?: boolean;
  /** Let git reach a remote, also to fetch a missing object. Default: false. */
  readonly remote?: boolean;
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
 * Run git without a monitor of the file system and, unless asked for, without hooks and remotes. Git never prompts.
 * Paths are taken literally, and inherited variables of a hook do not lead to another repository.
 *
 * Does not keep git from running other programs that the configuration of a repository names: see `callGit`.
 *
 * @returns Null when git cannot be started.
 */
export async function runGit(
  args: readonly string[],
  {
    cwd,
    stdin = "",
    hooks = false,
    remote = false,
    timeoutMs = defaultTimeoutMs,
    signal = new AbortController().signal,
  }: GitCall,
): Promise<GitEnd | null> {
  const { stdout, stderr } = openOutputs();
  try {
    const { exitCode, ended } = await runCommand(
      "git",
      [...(hooks ? settings : [noHooks, ...settings]).flatMap((setting) => ["-c", setting]), ...args],
      { cwd, env: gitEnvironment(process.env, remote), stdin, stdout, stderr, timeoutMs, outputCapBytes },
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
  // A folder of the workspace could look like a bare repository.
  "safe.bareRepository=explicit",
  "log.showSignature=false",
  "submodule.recurse=false",
  // Background maintenance would be killed together with the call.
  "gc.auto=0",
  "maintenance.auto=false",
  "i18n.commitEncoding=UTF-8",
];

const defaultTimeoutMs = 30_000;
const outputCapBytes = 64 * 1024 * 1024;
const keptStderrBytes = 64 * 1024;

const gitEnvironment = (env: Environment, remote: boolean): Environment => ({
  ...Object.fromEntries(Object.entries(env).filter(([name]) => !misleading.test(name))),
  GIT_OPTIONAL_LOCKS: "0",
  GIT_TERMINAL_PROMPT: "0",
  GIT_LITERAL_PATHSPECS: "1",
  // Weighs more than the configuration of a repository, which could allow a transport that runs any command.
  GIT_ALLOW_PROTOCOL: remote ? (env["GIT_ALLOW_PROTOCOL"] ?? "file:git:http:https:ssh") : "none",
  ...(!remote && { GIT_NO_LAZY_FETCH: "1" }),
  // Its messages are parsed.
  LC_ALL: "C",
});

/** Variables that lead git elsewhere, make it read paths as patterns, or add output between its messages. */
const misleading =
  /^GIT_(?:DIR|WORK_TREE|IMPLICIT_WORK_TREE|COMMON_DIR|INDEX_FILE|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|QUARANTINE_PATH|NAMESPACE|PREFIX|INTERNAL_SUPER_PREFIX|GRAFT_FILE|SHALLOW_FILE|REPLACE_REF_BASE|CONFIG|CONFIG_PARAMETERS|(?:GLOB|NOGLOB|ICASE)_PATHSPECS|TRACE\w*)$/;
