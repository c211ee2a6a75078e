import { closeSync } from "node:fs";
import { plainLine } from "../../markdown/text/plain-line.ts";
import { EnvironmentError } from "../../model/errors.ts";
import { openOutputs, readEnd, readTail } from "../processes/open-output.ts";
import { runCommand } from "../processes/run-command.ts";
import { gitEnvironment, type Store } from "./git-environment.ts";

export interface GitCall extends AnyCall {
  /** Programs from the repository's configuration that git may run (none by default). */
  readonly programs?: Programs;
}

/**
 * Run git for a query, a commit or a push. Of the programs that the repository configures, git runs only those in
 * `programs`: no other filter, signer, helper, transport, hook or monitor.
 *
 * @returns Null if git cannot start.
 */
export async function callGit(args: readonly string[], { programs = {}, ...call }: GitCall): Promise<GitEnd | null> {
  if (call.store !== undefined || runsNone.has(commandIn(args))) return runGit(args, call);
  const found = await readPrograms(call.cwd);
  if ("end" in found) return found.end;
  const off = switchOff(found.programs, { allowed: programs, hooks: call.hooks === true });
  return "end" in off ? off.end : runGit([...off.flatMap((setting) => ["-c", setting]), ...args], call);
}

const runsNone: ReadonlySet<string> = new Set([
  ...["cat-file", "check-ref-format", "config", "diff-tree", "log", "ls-files", "ls-tree", "merge-base", "remote"],
  ...["rev-list", "rev-parse", "symbolic-ref", "var"],
]);

const commandIn = ([word = "", , ...more]: readonly string[]): string => (word === "-c" ? commandIn(more) : word);

/** Arguments that stop `git diff` from running the programs in git attributes. */
export const noPrograms: readonly string[] = ["--no-ext-diff", "--no-textconv", "--ignore-submodules=dirty"];

const maxReason = 500;

export const gitRefused = (verb: string, where: string, reason: string): EnvironmentError =>
  new EnvironmentError(`Cannot ${verb} in \`${plainLine(where, maxReason)}\`: ${plainLine(reason, maxReason)}`, {
    code: "git-refused",
    hint: "Solve the problem with git there, then run again to resume",
  });

export function reasonOf(end: GitEnd | null): string {
  if (end === null) return "git cannot start";
  if (end.exitCode === null) return "git was stopped before it finished";
  const lines = end.stderr.split("\n").filter((line) => line.trim() !== "" && !line.startsWith("hint:"));
  // Prefer the `fatal:` line to later lines, which may be advice about access. An earlier `error:` line has the cause.
  const fatal = lines.findIndex((line) => line.startsWith("fatal: "));
  const cause = lines.slice(0, Math.max(0, fatal)).find((line) => line.startsWith("error: "));
  const last = fatal === -1 ? lines.at(-1) : lines[fatal];
  return [cause, last ?? `git ended with ${end.exitCode}`].filter((line) => line !== undefined).join("; ");
}

interface AnyCall {
  readonly cwd: string;
  readonly stdin?: string;
  /** Whether input and stdout have one character per byte, because file names need not be UTF-8 (false by default). */
  readonly bytes?: boolean;
  /** Private repository to use in place of the repository around the folder. */
  readonly store?: Store;
  readonly hooks?: boolean;
  /** Whether git may access a remote, also to fetch a missing object (false by default). */
  readonly remote?: boolean;
  /** 30 s by default. */
  readonly timeoutMs?: number;
  /** Number of output bytes to keep, from the end (64 MiB by default). */
  readonly mostBytes?: number;
  readonly signal?: AbortSignal;
}

export interface GitEnd {
  /** Null if a limit or signal ended the call. */
  readonly exitCode: number | null;
  readonly stdout: string;
  /** In English, whatever the locale. */
  readonly stderr: string;
}

/**
 * Run git without a file system monitor and, unless requested, without hooks and remotes. Git never prompts, takes
 * paths literally, and gets no variables of a surrounding hook.
 *
 * Does not stop git from running other configured programs: see `callGit`.
 *
 * @returns Null if git cannot start.
 */
async function runGit(
  args: readonly string[],
  {
    cwd,
    stdin = "",
    bytes = false,
    store,
    hooks = false,
    remote = false,
    timeoutMs = defaultTimeoutMs,
    mostBytes = outputCapBytes,
    signal = new AbortController().signal,
  }: AnyCall,
): Promise<GitEnd | null> {
  const { stdout, stderr } = openOutputs();
  const env = gitEnvironment(process.env, remote, store);
  try {
    const { exitCode, ended } = await runCommand(
      "git",
      [...(hooks ? settings : [noHooks, ...settings]).flatMap((setting) => ["-c", setting]), ...args],
      {
        ...{ cwd, env, stdout, stderr, timeoutMs, outputCapBytes: mostBytes },
        stdin: bytes ? Buffer.from(stdin, "latin1") : stdin,
        // In fixpoint's own repository, git starts no other program.
        isAlone: store !== undefined && store.isUsers !== true,
      },
      signal,
    );
    return {
      exitCode: ended === "exit" ? exitCode : null,
      stdout: bytes ? readEnd(stdout, mostBytes).bytes.toString("latin1") : readTail(stdout, mostBytes),
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
  // Otherwise git would use a workspace folder that looks like a bare repository.
  "safe.bareRepository=explicit",
  "log.showSignature=false",
  "submodule.recurse=false",
  // Background maintenance would be killed with the call.
  "gc.auto=0",
  "maintenance.auto=false",
  "i18n.commitEncoding=UTF-8",
];

const defaultTimeoutMs = 30_000;
const outputCapBytes = 64 * 1024 * 1024;
const keptStderrBytes = 64 * 1024;

/** Settings that name a program: values by name, in the form of `git config`, such as `filter.lfs.clean`. */
export type Programs = Readonly<Record<string, string>>;

/**
 * Read the repository's settings whose programs our calls would run. Excludes settings of user, system and environment.
 *
 * @returns The result of the git call instead, if it failed.
 */
export async function readPrograms(
  cwd: string,
): Promise<{ readonly programs: Programs } | { readonly end: GitEnd | null }> {
  const end = await runGit(["config", "--list", "--show-scope", "--includes", "-z"], { cwd });
  if (end?.exitCode !== 0) return { end };
  const words = end.stdout.split("\0");
  const found = new Map<string, readonly string[]>();
  for (let at = 0; at + 1 < words.length; at += 2) {
    const [scope = "", entry = ""] = words.slice(at, at + 2);
    const [name = "", value = ""] = splitOnce(entry, "\n");
    if (ofRepository.has(scope) && isProgram(name)) found.set(name, [...(found.get(name) ?? []), value]);
  }
  return { programs: Object.fromEntries([...found].map(([name, values]) => [name, values.join(", ")])) };
}

const ofRepository: ReadonlySet<string> = new Set(["local", "worktree", "submodule"]);

const kinds = {
  /** Programs that run when files are compared, committed or checked out. */
  content: /^filter\..*\.(?:clean|smudge|process)$/s,
  /** Programs that run when a commit is signed. */
  signing: /^gpg\.(?:.*\.)?program$|^gpg\.ssh\.defaultkeycommand$/s,
  /** Programs that run for queries and pushes to a remote. */
  remote:
    /^core\.(?:sshcommand|gitproxy|askpass|hookspath|alternaterefscommand)$|^credential\.(?:.*\.)?helper$|^remote\..*\.(?:uploadpack|receivepack|vcs)$|^hook\..*\.command$/s,
};

export type ProgramKind = keyof typeof kinds;

const isProgram = (name: string): boolean => Object.values(kinds).some((form) => form.test(name));

export const programsOf = (programs: Programs, wanted: readonly ProgramKind[]): Programs =>
  Object.fromEntries(Object.entries(programs).filter(([name]) => wanted.some((kind) => kinds[kind].test(name))));

export const programsBeyond = (programs: Programs, others: Programs): Programs =>
  Object.fromEntries(
    Object.entries(programs).filter(([name, value]) => !Object.hasOwn(others, name) || others[name] !== value),
  );

/**
 * Return settings that disable all given programs except the allowed programs.
 *
 * @param hooks Whether the allowed programs may include hooks.
 * @returns The settings, or the result of a failed call if a program cannot be disabled.
 */
function switchOff(
  programs: Programs,
  { allowed, hooks }: { readonly allowed: Programs; readonly hooks: boolean },
): readonly string[] | { readonly end: GitEnd } {
  const isHook = (name: string): boolean => name.startsWith("hook.");
  const beyond = programsBeyond(programs, allowed);
  const names = Object.keys(programs).filter((name) => Object.hasOwn(beyond, name) || (isHook(name) && !hooks));
  // On the command line, `=` ends the name of a setting.
  const odd = names.find((name) => name.includes("="));
  if (odd === undefined) return names.flatMap(settingsAgainst);
  return {
    end: { exitCode: 128, stdout: "", stderr: `fatal: the setting ${odd} cannot be disabled: rename it\n` },
  };
}

function settingsAgainst(name: string): string[] {
  if (name === "core.hookspath") return [`${name}=/dev/null`];
  const stem = name.slice(0, name.lastIndexOf("."));
  if (kinds.content.test(name)) return [`${name}=`, `${stem}.required=false`];
  return name.startsWith("hook.") ? [`${stem}.enabled=false`] : [`${name}=`];
}

function splitOnce(text: string, by: string): readonly string[] {
  const at = text.indexOf(by);
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + by.length)];
}
