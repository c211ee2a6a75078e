import { plainLine } from "../../markdown/text/plain-line.ts";
import type { GitEvidence } from "../../model/git-evidence.ts";
import { callGit, gitRefused, reasonOf } from "./call-git.ts";

/** How HEAD got from one commit to another. */
export interface Moves extends Pick<GitEvidence, "rewritten" | "commits"> {
  /** Paths that differ between the two, from the top of the working tree. */
  readonly paths: readonly string[];
}

const maxCommits = 50;
const maxSubject = 200;

/**
 * Read what was committed between two states of HEAD. Git is not asked when they are equal.
 *
 * @throws {EnvironmentError} `git-refused`
 */
export async function readMoves(top: string, before: string | null, after: string | null): Promise<Moves> {
  if (before === after) return { rewritten: false, commits: [], paths: [] };
  if (after === null) return lost;
  const rewritten = before !== null && (await isRewritten(top, before, after));
  if (rewritten === null) return lost;
  const range = before === null ? after : `${before}..${after}`;
  const format = ["-z", "--no-show-signature", "--encoding=UTF-8", "--format=%h %s"];
  const [commits, paths] = await Promise.all([
    readList(top, ["log", ...format, `--max-count=${maxCommits}`, range, "--"]),
    readList(
      top,
      before === null
        ? ["ls-tree", "-r", "-z", "--name-only", "--full-tree", after]
        : ["diff-tree", "-r", "-z", "--name-only", "--no-renames", before, after],
    ),
  ]);
  return { rewritten, commits: commits.map(parseCommit), paths };
}

/** The commit to compare with is gone, so nothing is known about the changes. */
const lost: Moves = { rewritten: true, commits: [], paths: [] };

/** Null when the earlier commit is gone. */
async function isRewritten(top: string, before: string, after: string): Promise<boolean | null> {
  const end = await callGit(["merge-base", "--is-ancestor", before, after], { cwd: top });
  if (end?.exitCode === 0 || end?.exitCode === 1) return end.exitCode === 1;
  if (end?.exitCode === 128) return null;
  throw gitRefused("read history", top, reasonOf(end));
}

async function readList(top: string, args: readonly string[]): Promise<string[]> {
  const end = await callGit(args, { cwd: top });
  if (end?.exitCode !== 0) throw gitRefused("read history", top, reasonOf(end));
  return end.stdout.split("\0").filter((item) => item !== "");
}

function parseCommit(line: string): GitEvidence["commits"][number] {
  const at = line.indexOf(" ");
  return { hash: line.slice(0, at), subject: plainLine(line.slice(at + 1), maxSubject) };
}
