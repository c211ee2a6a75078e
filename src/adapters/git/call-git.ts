import { closeSync } from "node:fs";
import { plainLine } from "../../markdown/text/plain-line.ts";
import { EnvironmentError } from "../../model/errors.ts";
import { openOutputs } from "../processes/open-output.ts";
import { readEnd, readTail } from "../processes/read-tail.ts";
import { runCommand } from "../processes/run-command.ts";
import { gitEnvironment, type Store } from "./git-environment.ts";

export interface GitCall extends AnyCall {
  /** Programs that the repository's own configuration may have git run (none by default). */
  readonly programs?: Programs;
}

/**
 * Run git for a question, or for a commit or push of our own. Of the programs that the configuration of the repository
 * names, git runs only those in `programs`: no other filter, signer, helper, transport, hook or monitor.
 *
 * @returns Null when git cannot be started.
 */
export async function callGit(args: readonly string[], { programs = {}, ...call }: GitCall): Promise<GitEnd | null> {
  if (call.store !== undefined || runsNone.has(commandIn(args))) return runGit(args, call);
  const found = await readPrograms(call.cwd);
  if ("end" in found) return found.end;
  const off = switchOff(found.programs, { allowed: programs, hooks: call.hooks === true });
  return "end" in off ? off.end : runGit([...off.flatMap((setting) => ["-c", setting]), ...args], call);
}

/** Commands that run no program, whatever a repository has configured. */
const runsNone: ReadonlySet<string> = new Set([
  ...["cat-file", "check-ref-format", "config", "diff-tree", "log", "ls-files", "ls-tree", "merge-base", "remote"],
  ...["rev-list", "rev-parse", "symbolic-ref", "var"],
]);

/** The command in words that may begin with settings. */
const commandIn = ([word = "", , ...more]: readonly string[]): string => (word === "-c" ? commandIn(more) : word);

/** Words that keep `git diff` from the programs that attributes name. */
export const noPrograms: readonly string[] = ["--no-ext-diff", "--no-textconv", "--ignore-submodules=dirty"];

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

interface AnyCall {
  readonly cwd: string;
  /** The whole input (none by default). */
  readonly stdin?: string;
  /** Input and stdout hold a byte in each character: names of files need not be UTF-8. Default: false. */
  readonly bytes?: boolean;
  /** A repository of our own, in place of the one around the folder: no configuration of others counts there. */
  readonly store?: Store;
  /** Run the hooks of the repository, as a push does. Default: false. */
  readonly hooks?: boolean;
  /** Let git reach a remote, also to fetch a missing object. Default: false. */
  readonly remote?: boolean;
  /** How long it may take (30 s by default). */
  readonly timeoutMs?: number;
  /** How many bytes of its output are kept, the last ones (64 MiB by default). */
  readonly mostBytes?: number;
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
        // Git starts no other program there.
        isAlone: store !== undefined,
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

/** Settings that name a program, with their values, by name as `git config` prints it: `filter.lfs.clean`. */
export type Programs = Readonly<Record<string, string>>;

/**
 * The settings of a repository that name programs which calls of ours would have git run. Those of the user, the system
 * and the environment are none of them.
 *
 * @returns How git ended, when it has no answer.
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
  /** Run when files are compared, committed or checked out. */
  content: /^filter\..*\.(?:clean|smudge|process)$/s,
  /** Run when a commit is signed. */
  signing: /^gpg\.(?:.*\.)?program$|^gpg\.ssh\.defaultkeycommand$/s,
  /** Run when a remote is asked or pushed to. */
  remote:
    /^core\.(?:sshcommand|gitproxy|askpass|hookspath|alternaterefscommand)$|^credential\.(?:.*\.)?helper$|^remote\..*\.(?:uploadpack|receivepack|vcs)$|^hook\..*\.command$/s,
};

export type ProgramKind = keyof typeof kinds;

const isProgram = (name: string): boolean => Object.values(kinds).some((form) => form.test(name));

/** Those of some kinds. */
export const programsOf = (programs: Programs, wanted: readonly ProgramKind[]): Programs =>
  Object.fromEntries(Object.entries(programs).filter(([name]) => wanted.some((kind) => kinds[kind].test(name))));

/** Those that are not in others, or are there with another value. */
export const programsBeyond = (programs: Programs, others: Programs): Programs =>
  Object.fromEntries(
    Object.entries(programs).filter(([name, value]) => !Object.hasOwn(others, name) || others[name] !== value),
  );

/**
 * Settings under which git runs none of these programs but the allowed ones.
 *
 * @param hooks Whether hooks may be among those.
 * @returns How a call ends where there are no such settings.
 */
function switchOff(
  programs: Programs,
  { allowed, hooks }: { readonly allowed: Programs; readonly hooks: boolean },
): readonly string[] | { readonly end: GitEnd } {
  const isHook = (name: string): boolean => name.startsWith("hook.");
  const beyond = programsBeyond(programs, allowed);
  const names = Object.keys(programs).filter((name) => Object.hasOwn(beyond, name) || (isHook(name) && !hooks));
  // A setting on the command line ends its name there.
  const odd = names.find((name) => name.includes("="));
  if (odd === undefined) return names.flatMap(settingsAgainst);
  return {
    end: { exitCode: 128, stdout: "", stderr: `fatal: the setting ${odd} cannot be switched off: rename it\n` },
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
