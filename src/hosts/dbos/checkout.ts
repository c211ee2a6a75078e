import { createHash, randomUUID } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { callGit, type GitEnd, gitRefused, reasonOf } from "../../adapters/git/call-git.ts";
import { readHead } from "../../adapters/git/read-head.ts";
import { createQueue } from "../../model/create-queue.ts";
import { EnvironmentError, GateError } from "../../model/errors.ts";
import { escapeText } from "../../wording/escape-text.ts";

const remoteTimeoutMs = 10 * 60_000;
/** Commits of ours differ by their content alone: made again, one has the same hash. */
const author = "fixpoint <fixpoint@localhost> 946684800 +0000";

/** A working tree whose content travels as commits. Its HEAD stands where an executor finds it, not at those commits. */
export interface Checkout {
  /** Absolute. */
  readonly folder: string;
  /** Make the working tree that of a commit, which is fetched where it is not here. @param head HEAD (its parent when not given). */
  place(commit: string, ref: string, head?: string): Promise<void>;
  /** A commit of all files that git does not ignore, with HEAD as its parent. @param message Any text. */
  snapshot(message: string): Promise<string>;
  /** Push a commit to a ref of the remote. @throws {EnvironmentError} `repository-unreachable` */
  share(commit: string, ref: string): Promise<void>;
  /** Fetch a commit, where it is not here. @throws {EnvironmentError} `repository-unreachable` */
  fetch(commit: string, ref: string): Promise<void>;
  /** Merge what was made of a commit in two ways, by git: the tree, and the paths in which they exclude each other. */
  merge(base: string, ours: string, theirs: string): Promise<{ readonly tree: string; readonly conflicts: string[] }>;
  /** The tree of a commit, its first parent, its message. */
  treeOf(commit: string): Promise<string>;
  parentOf(commit: string): Promise<string>;
  messageOf(commit: string): Promise<string>;
  head(): Promise<string>;
  /** Make a commit HEAD, and leave the files as they are. */
  setHead(commit: string): Promise<void>;
  /** A commit of a tree. */
  commit(tree: string, parent: string, message: string): Promise<string>;
  /**
   * Move a branch of the remote to a commit, if it is where it is expected (null: it is not there).
   *
   * @throws {GateError} `branch-moved`
   * @throws {EnvironmentError} `repository-unreachable`
   */
  move(branch: string, expect: string | null, commit: string): Promise<void>;
}

/** Checkouts of repositories below a folder of a worker. All that are on a machine share what was fetched. */
export interface Checkouts {
  /** A checkout that nobody uses, of any content. */
  take(repo: string): Promise<Checkout>;
  /** Leave it for others to use: what git ignores stays in it. */
  leave(checkout: Checkout): void;
}

/** @param root Absolute folder, made where it is not there. @param own Name of the folder below it that is this process's. */
export function openCheckouts(root: string, own: string): Checkouts {
  const free: { readonly repo: string; readonly checkout: Checkout }[] = [];
  const known = new Map<string, Promise<string>>();
  // Two would wait for the lock of the same ref.
  const fetches = createQueue();
  let count = 0;
  const open = async (repo: string): Promise<string> => {
    const folder = join(root, "repositories", createHash("sha256").update(repo).digest("hex").slice(0, 32));
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    await call(folder, ["init", "-q"], "make a repository");
    return folder;
  };
  /** A repository of its own that finds the objects of the other: nobody who is killed leaves something half made to others. */
  const make = async (cache: string, folder: string): Promise<void> => {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    await call(folder, ["init", "-q"], "make a repository");
    writeFileSync(join(folder, ".git", "objects", "info", "alternates"), `${join(cache, ".git", "objects")}\n`);
    writeFileSync(join(folder, ".git", "info", "exclude"), ".fixpoint\n");
  };
  return {
    take: async (repo) => {
      const at = free.findIndex((each) => each.repo === repo);
      const [found] = at === -1 ? [] : free.splice(at, 1);
      if (found !== undefined) return found.checkout;
      const opening = known.get(repo) ?? open(repo);
      known.set(repo, opening);
      opening.catch(() => known.delete(repo));
      count += 1;
      const folder = join(root, own, `${count}`);
      await make(await opening, folder);
      const fetchTo = (ref: string, at: string): Promise<GitEnd | null> => fetches(() => fetchInto(at, repo, ref, own));
      return checkoutOf(folder, repo, (ref) => opening.then((cache) => fetchTo(ref, cache)));
    },
    leave: (checkout) => void free.push({ repo: repoOf.get(checkout) ?? "", checkout }),
  };
}

const repoOf = new WeakMap<Checkout, string>();

/** Fetch a ref. The last of each run stays a ref here: git asks for nothing that leads to one. */
const fetchInto = (cwd: string, repo: string, ref: string, own: string): Promise<GitEnd | null> => {
  const how = ["fetch", "-q", "--no-tags", "--no-recurse-submodules", "--no-write-fetch-head"];
  const kept = `refs/fetched/${own}/${ref.split("/")[2] ?? "other"}`;
  return callGit([...how, repo, `+${ref}:${kept}`], { cwd, remote: true, timeoutMs: remoteTimeoutMs });
};

function checkoutOf(folder: string, repo: string, fetchRef: (ref: string) => Promise<GitEnd | null>): Checkout {
  const git = (args: readonly string[], verb: string, stdin?: string): Promise<string> =>
    call(folder, args, verb, stdin);
  const line = async (args: readonly string[], verb: string): Promise<string> => (await git(args, verb)).trim();
  const has = async (commit: string): Promise<boolean> =>
    (await callGit(["cat-file", "-e", `${commit}^{tree}`], { cwd: folder }))?.exitCode === 0;
  const fetch = async (commit: string, ref: string): Promise<void> => {
    if (await has(commit)) return;
    const end = await fetchRef(ref);
    if (end?.exitCode !== 0) throw unreachable("fetch", ref, repo, end);
    if (!(await has(commit))) throw unreachable("fetch", commit, repo, { ...end, stderr: `${ref} leads elsewhere` });
  };
  const commit = (tree: string, parent: string, message: string): Promise<string> => {
    const lines = [`tree ${tree}`, `parent ${parent}`, `author ${author}`, `committer ${author}`, "", message];
    return git(["hash-object", "-t", "commit", "-w", "--stdin"], "write a commit", lines.join("\n")).then((hash) =>
      hash.trim(),
    );
  };
  const headNow = async (): Promise<string> => {
    const found = readHead(folder);
    return found.kind === "commit" ? found.hash : line(["rev-parse", "HEAD"], "read HEAD");
  };
  const treeOf = (of: string): Promise<string> => line(["rev-parse", `${of}^{tree}`], "read a commit");
  const oneByOne = createQueue();
  const checkout: Checkout = {
    folder,
    fetch,
    commit,
    treeOf,
    place: (wanted, ref, head = `${wanted}^`) =>
      oneByOne(async () => {
        await fetch(wanted, ref);
        await git(["read-tree", "--reset", "-u", wanted], "check out");
        await git(["clean", "-ffdq"], "clean");
        await git(["update-ref", "--no-deref", "HEAD", await line(["rev-parse", head], "read a commit")], "move HEAD");
        await git(["reset", "-q"], "reset the index");
      }),
    snapshot: (message) =>
      oneByOne(async () => {
        await git(["add", "-A"], "read the files");
        const tree = await line(["write-tree"], "write a tree");
        await git(["reset", "-q"], "reset the index");
        return commit(tree, await headNow(), message);
      }),
    share: async (of, ref) => {
      const end = await callGit(["push", "-q", repo, `+${of}:${ref}`], {
        ...{ cwd: folder, remote: true, timeoutMs: remoteTimeoutMs },
      });
      if (end?.exitCode !== 0) throw unreachable("push", ref, repo, end);
    },
    merge: async (base, ours, theirs) => {
      const sides = [
        await commit(await treeOf(ours), base, "ours"),
        await commit(await treeOf(theirs), base, "theirs"),
      ];
      const how = ["merge-tree", "--write-tree", "--name-only", "--no-messages", "-z"];
      const end = await callGit([...how, ...sides], { cwd: folder });
      if (end?.exitCode !== 0 && end?.exitCode !== 1) throw gitRefused("merge", folder, reasonOf(end));
      const [tree = "", ...paths] = end.stdout.split("\0");
      return { tree, conflicts: [...new Set(paths.filter((path) => path !== ""))] };
    },
    parentOf: (of) => line(["rev-parse", `${of}^`], "read a commit"),
    messageOf: async (of) => {
      const whole = await git(["cat-file", "commit", of], "read a commit");
      return whole.slice(whole.indexOf("\n\n") + 2);
    },
    head: headNow,
    setHead: async (to) => void (await git(["reset", "-q", to], "move HEAD")),
    move: async (branch, expect, to) => {
      const ref = `refs/heads/${branch}`;
      const lease = `--force-with-lease=${ref}:${expect ?? ""}`;
      const end = await callGit(["push", "--porcelain", "-q", lease, repo, `${to}:${ref}`], {
        ...{ cwd: folder, remote: true, timeoutMs: remoteTimeoutMs },
      });
      if (end?.exitCode === 0) return;
      const there = await callGit(["ls-remote", repo, ref], { cwd: folder, remote: true, timeoutMs: remoteTimeoutMs });
      if (there?.exitCode !== 0) throw unreachable("push", ref, repo, end);
      const found = there.stdout.split("\t")[0] ?? "";
      // A start before may have pushed it, and died.
      if (found === to) return;
      if (found === (expect ?? "")) throw unreachable("push", ref, repo, end);
      throw new GateError(`Cannot push to \`${branch}\`, expected it at ${expect ?? "no commit"}: it has moved`, {
        code: "branch-moved",
        hint: `Put it back, then say retry: git push --force ${escapeText(repo)} ${expect === null ? `:${ref}` : `${expect}:${ref}`}`,
      });
    },
  };
  repoOf.set(checkout, repo);
  return checkout;
}

async function call(cwd: string, args: readonly string[], verb: string, stdin?: string): Promise<string> {
  const end = await callGit(args, { cwd, ...(stdin !== undefined && { stdin }) });
  if (end?.exitCode !== 0) throw gitRefused(verb, cwd, reasonOf(end));
  return end.stdout;
}

const unreachable = (verb: string, what: string, repo: string, end: GitEnd | null): EnvironmentError =>
  new EnvironmentError(`Cannot ${verb} ${what} at \`${repo}\`: ${reasonOf(end)}`, {
    code: "repository-unreachable",
    hint: `See that git can ${verb} there on this machine: its address, its login, its rights below refs/fixpoint`,
  });

/** A name that no other execution of a job uses. */
export const ownName = (): string => randomUUID().slice(0, 8);
