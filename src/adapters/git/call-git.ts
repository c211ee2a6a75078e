import { plainLine } from "../../markdown/text/plain-line.ts";
import { EnvironmentError } from "../../model/errors.ts";
import { type Programs, readPrograms, switchOff } from "./repository-programs.ts";
import { type GitCall as AnyCall, type GitEnd, runGit } from "./run-git.ts";

export type { GitEnd } from "./run-git.ts";

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
  if (runsNone.has(commandIn(args))) return runGit(args, call);
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
