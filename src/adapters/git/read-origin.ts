import { statSync } from "node:fs";
import type { FolderId, WorkspaceOrigin } from "../../model/agreement.ts";
import { FixpointError } from "../../model/errors.ts";
import { callGit, reasonOf } from "./call-git.ts";
import { withoutLogin } from "./call-remote.ts";
import { findRepository } from "./find-repository.ts";

type History = Pick<WorkspaceOrigin, "head" | "roots" | "remotes">;

/**
 * Read the origin of a workspace. Git runs only inside a repository; it runs no configured program and fetches no
 * object.
 *
 * @param workspace Absolute folder.
 * @param spec Absolute folder of the spec.
 * @param before An earlier result. The roots of this result stay valid while HEAD descends from its `head`, so the
 *   history is not walked again. A user may therefore deepen a shallow clone.
 */
export async function readOrigin(
  workspace: string,
  spec: string,
  before: WorkspaceOrigin | null = null,
): Promise<WorkspaceOrigin> {
  const folders = { workspace: folderId(workspace), spec: folderId(spec) };
  try {
    const history = findRepository(workspace) === null ? none : await readHistory(workspace, before);
    const hasId = history.head !== null || (folders.workspace !== null && folders.spec !== null);
    return { ...history, ...folders, unknown: hasId ? null : noBirthTime };
  } catch (error) {
    if (!(error instanceof FixpointError) && !(error instanceof Untold)) throw error;
    return { ...none, ...folders, unknown: error.message };
  }
}

const none: History = { head: null, roots: [], remotes: [] };

const noBirthTime = "the file system gives no inode or birth time for this folder, and no git commit contains it";

class Untold extends Error {}

function folderId(folder: string): FolderId | null {
  const found = statSync(folder, { bigint: true, throwIfNoEntry: false });
  if (found === undefined || found.ino <= 0n || found.birthtimeNs <= 0n) return null;
  return { inode: String(found.ino), born: String(found.birthtimeNs) };
}

async function readHistory(cwd: string, before: WorkspaceOrigin | null): Promise<History> {
  // If HEAD does not contain the folder, the repository is unrelated to the folder's origin.
  const isHeld = (await ask(cwd, ["rev-parse", "--verify", "--quiet", "HEAD:./"])) !== null;
  const remotes = await readRemotes(cwd);
  if (!isHeld) return { ...none, remotes };
  const head = (await ask(cwd, ["rev-parse", "--verify", "--quiet", "HEAD^{commit}"]))?.trimEnd() ?? null;
  if (head === null) throw new Untold(`\`${cwd}\` has a HEAD without a commit`);
  const isKnown = before !== null && before.head !== null && (await descends(cwd, head, before.head));
  return { head, roots: isKnown ? before.roots : await readRoots(cwd, head), remotes };
}

async function descends(cwd: string, head: string, from: string): Promise<boolean> {
  if (head === from) return true;
  const end = await call(cwd, [...walk, "--max-count=1", from, "--not", head]);
  return end?.exitCode === 0 && end.stdout === "";
}

const maxRoots = 100;

async function readRoots(cwd: string, head: string): Promise<string[]> {
  const roots = ((await ask(cwd, [...walk, "--max-parents=0", head])) ?? "").split("\n").filter((line) => line !== "");
  if (roots.length > 0 && roots.length <= maxRoots) return roots.sort();
  throw new Untold(`\`${cwd}\` has a history with ${roots.length} root commits`);
}

/** Skip missing commits, without an error and without fetching them. */
const walk = ["rev-list", "--missing=allow-any"];

async function readRemotes(cwd: string): Promise<string[]> {
  const text = (await ask(cwd, ["config", "-z", "--get-regexp", "^remote\\..*\\.url$"])) ?? "";
  const remotes = text.split("\0").flatMap((entry) => {
    const at = entry.indexOf("\n");
    return at < 0 ? [] : [{ name: entry.slice(0, at), url: withoutLogin(entry.slice(at + 1)) }];
  });
  const isOrigin = ({ name }: (typeof remotes)[number]): boolean => name === "remote.origin.url";
  return [...new Set([...remotes.filter(isOrigin), ...remotes].map(({ url }) => url))];
}

/**
 * Return git's output; null if git exits with 1, which means no.
 *
 * @throws {Untold} for any other failure
 */
async function ask(cwd: string, args: readonly string[]): Promise<string | null> {
  const end = await call(cwd, args);
  if (end?.exitCode === 0) return end.stdout;
  if (end?.exitCode === 1) return null;
  throw new Untold(`git gives no answer in \`${cwd}\`: ${reasonOf(end)}`);
}

/**
 * Options that forbid all transports: a partial clone would fetch missing objects, perhaps with a configured program.
 */
const offline = ["", "ext.", "file.", "ftp.", "ftps.", "git.", "http.", "https.", "ssh."].flatMap((protocol) => [
  "-c",
  `protocol.${protocol}allow=never`,
]);

const call = (cwd: string, args: readonly string[]) => callGit([...offline, ...args], { cwd });
