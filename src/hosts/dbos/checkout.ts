import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { callGit, type GitEnd, gitRefused, reasonOf } from "../../adapters/git/call-git.ts";
import { readHead } from "../../adapters/git/read-head.ts";
import { createQueue } from "../../model/create-queue.ts";
import { GateError } from "../../model/errors.ts";
import { escapeText } from "../../wording/escape-text.ts";
import {
  type CheckoutGit,
  type CommitContent,
  cacheStore,
  callRemote,
  checkoutGit,
  unreachable,
} from "./checkout-git.ts";

/** A working tree whose content is exchanged as commits. HEAD, which executors see, is never one of these commits. */
export interface Checkout {
  /** Absolute. */
  readonly folder: string;
  /** Check out a commit, and fetch it if it is missing. @param head HEAD (the parent of the commit by default). */
  place(commit: string, ref: string, head?: string): Promise<void>;
  content(): Promise<string>;
  /** Commit the tree of `content`, with HEAD as the parent. */
  snapshot(message: string): Promise<string>;
  /** Push a commit to a ref of the remote. @throws {EnvironmentError} `repository-unreachable` */
  share(commit: string, ref: string): Promise<void>;
  /** Read a commit, and fetch it if it is missing. @throws {EnvironmentError} `repository-unreachable` */
  fetch(commit: string, ref: string): Promise<CommitContent>;
  /** Read a commit that is not missing. @throws {EnvironmentError} `git-refused` */
  read(commit: string): Promise<CommitContent>;
  merge(base: string, ours: string, theirs: string): Promise<{ readonly tree: string; readonly conflicts: string[] }>;
  head(): Promise<string>;
  /** Set HEAD to a commit without changing files. */
  setHead(commit: string): Promise<void>;
  commit(tree: string, parent: string, message: string): Promise<string>;
  /**
   * Move a branch of the remote to a commit, if the branch is at the expected commit (null: the branch must not exist).
   *
   * @throws {GateError} `branch-moved`
   * @throws {EnvironmentError} `repository-unreachable`
   */
  move(branch: string, expect: string | null, commit: string): Promise<void>;
}

/** Checkouts of repositories below a folder of a worker. All checkouts of a machine share the fetched objects. */
export interface Checkouts {
  /** Take an unused checkout, which may have any content. */
  take(repo: string): Promise<Checkout>;
  /** Return a checkout for reuse; ignored files stay in it. */
  leave(checkout: Checkout): void;
}

/** @param root Absolute folder, created if missing. @param own Name of this process's folder below `root`. */
export function openCheckouts(root: string, own: string): Checkouts {
  const free: { readonly repo: string; readonly checkout: Checkout }[] = [];
  const known = new Map<string, Promise<string>>();
  // Concurrent fetches would wait for the lock of the same ref.
  const fetches = createQueue();
  let count = 0;
  const open = async (repo: string): Promise<string> => {
    const folder = join(root, "repositories", createHash("sha256").update(repo).digest("hex").slice(0, 32));
    if (existsSync(folder)) return folder;
    // Make the repository in a folder of this process, then rename the folder: another process may make the same
    // repository, or be killed halfway.
    const aside = `${folder}-${own}`;
    mkdirSync(aside, { recursive: true, mode: 0o700 });
    const end = await callGit(["init", "-q"], { cwd: aside });
    if (end?.exitCode !== 0) throw gitRefused("make a repository", aside, reasonOf(end));
    writeFileSync(join(aside, ".git", "info", "exclude"), ".fixpoint\n");
    try {
      renameSync(aside, folder);
    } catch (error) {
      if (!existsSync(folder)) throw error;
      rmSync(aside, { recursive: true });
    }
    return folder;
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
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      const cache = await opening;
      const fetchRef = (ref: string): Promise<GitEnd | null> => fetches(() => fetchInto(cache, repo, ref, own));
      return checkoutOf(folder, repo, checkoutGit(cache, folder, `${folder}.index`), fetchRef);
    },
    leave: (checkout) => void free.push({ repo: repoOf.get(checkout) ?? "", checkout }),
  };
}

/** Remove the checkouts of an ended worker below `root`, and the refs that keep the commits it fetched. */
export async function removeCheckouts(root: string, own: string): Promise<void> {
  rmSync(join(root, own), { recursive: true, force: true });
  const repositories = join(root, "repositories");
  for (const name of existsSync(repositories) ? readdirSync(repositories) : []) {
    const cwd = join(repositories, name);
    if (name.endsWith(`-${own}`)) {
      rmSync(cwd, { recursive: true });
      continue;
    }
    const kept = await callGit(["for-each-ref", "--format=delete %(refname)", `refs/fetched/${own}/`], { cwd });
    if (kept?.exitCode === 0) await callGit(["update-ref", "--stdin"], { cwd, stdin: kept.stdout });
  }
}

const repoOf = new WeakMap<Checkout, string>();

/** Fetch a ref. The last ref of each run is kept, so that git does not fetch its objects again. */
const fetchInto = (cache: string, repo: string, ref: string, own: string): Promise<GitEnd | null> => {
  const how = ["fetch", "-q", "--no-tags", "--no-recurse-submodules", "--no-write-fetch-head"];
  const kept = `refs/fetched/${own}/${ref.split("/")[2] ?? "other"}`;
  return callRemote(cacheStore(cache), [...how, repo, `+${ref}:${kept}`]);
};

function checkoutOf(
  folder: string,
  repo: string,
  git: CheckoutGit,
  fetchRef: (ref: string) => Promise<GitEnd | null>,
): Checkout {
  const bring = async (ref: string): Promise<void> => {
    const end = await fetchRef(ref);
    if (end?.exitCode !== 0) throw unreachable("fetch", ref, repo, reasonOf(end));
  };
  const fetch = async (commit: string, ref: string): Promise<CommitContent> => {
    const here = await git.read(commit);
    if (here !== null) return here;
    await bring(ref);
    const found = await git.read(commit);
    if (found === null) throw unreachable("fetch", commit, repo, `${ref} does not contain this commit`);
    return found;
  };
  const commit = (tree: string, parent: string, message: string): Promise<string> =>
    git.write({ tree, parent, message });
  const headNow = async (): Promise<string> => {
    const found = readHead(folder);
    return found.kind === "commit"
      ? found.hash
      : (await git.own(["--git-dir=.git", "rev-parse", "HEAD"], "read HEAD")).trim();
  };
  const read = async (of: string): Promise<CommitContent> => {
    const found = await git.read(of);
    if (found === null) throw gitRefused("read a commit", folder, `${of} is not in this repository`);
    return found;
  };
  const oneByOne = createQueue();
  const checkout: Checkout = {
    ...{ folder, fetch, commit, read },
    place: (wanted, ref, head) =>
      oneByOne(async () => {
        git.renew();
        const { parent } = await fetch(wanted, ref);
        const checkOut = () => git.users(["read-tree", "--reset", "-u", wanted], "check out");
        // A killed process may have fetched only part of the objects.
        await checkOut().catch(() => bring(ref).then(checkOut));
        await git.users(["clean", "-ffdq"], "clean");
        await git.showAt(head ?? parent);
      }),
    content: () => oneByOne(git.content),
    snapshot: (message) => oneByOne(async () => commit(await git.content(), await headNow(), message)),
    share: async (of, ref) => {
      const end = await git.remote(["push", "-q", repo, `+${of}:${ref}`]);
      if (end?.exitCode !== 0) throw unreachable("push", ref, repo, reasonOf(end));
    },
    merge: async (base, ours, theirs) => {
      const sides = [await commit(ours, base, "ours"), await commit(theirs, base, "theirs")];
      const how = ["merge-tree", "--write-tree", "--name-only", "--no-messages", "-z"];
      const end = await git.end([...how, ...sides]);
      if (end?.exitCode !== 0 && end?.exitCode !== 1) throw gitRefused("merge", folder, reasonOf(end));
      const [tree = "", ...paths] = end.stdout.split("\0");
      return { tree, conflicts: [...new Set(paths.filter((path) => path !== ""))] };
    },
    head: headNow,
    setHead: (to) => oneByOne(() => git.showAt(to)),
    move: async (branch, expect, to) => {
      const ref = `refs/heads/${branch}`;
      const lease = `--force-with-lease=${ref}:${expect ?? ""}`;
      const end = await git.remote(["push", "--porcelain", "-q", lease, repo, `${to}:${ref}`]);
      if (end?.exitCode === 0) return;
      const there = await git.remote(["ls-remote", repo, ref]);
      if (there?.exitCode !== 0) throw unreachable("push", ref, repo, reasonOf(end));
      const found = there.stdout.split("\t")[0] ?? "";
      // A process that died may have pushed this commit already.
      if (found === to) return;
      if (found === (expect ?? "")) throw unreachable("push", ref, repo, reasonOf(end));
      throw new GateError(
        `Cannot push to \`${branch}\`, expected the branch to be at ${expect ?? "no commit"}, but it has moved`,
        {
          code: "branch-moved",
          hint: `Move the branch back, then say \`retry\`: git push --force ${escapeText(repo)} ${expect === null ? `:${ref}` : `${expect}:${ref}`}`,
        },
      );
    },
  };
  repoOf.set(checkout, repo);
  return checkout;
}
