import { copyFileSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { callGit, type GitEnd, gitRefused, reasonOf } from "../../adapters/git/call-git.ts";
import type { Store } from "../../adapters/git/git-environment.ts";
import { EnvironmentError } from "../../model/errors.ts";
import { latest } from "../../model/latest.ts";

export interface CommitContent {
  readonly tree: string;
  /** Hash of the first parent; empty if there is none. */
  readonly parent: string;
  readonly message: string;
}

/**
 * Git over a working tree, with settings and an index that no executor changes. Objects are stored in the `.git` folder
 * of the tree, which executors see, and in a cache, which executors do not change.
 */
export interface CheckoutGit {
  /** Run git without the settings of the user, on the index of fixpoint. @throws {EnvironmentError} `git-refused` */
  own(words: readonly string[], verb: string, stdin?: string): Promise<string>;
  /** Run git like `own`, but with the settings of the user, such as filters and ignored names. */
  users(words: readonly string[], verb: string): Promise<string>;
  end(words: readonly string[]): Promise<GitEnd | null>;
  remote(words: readonly string[]): Promise<GitEnd | null>;
  read(commit: string): Promise<CommitContent | null>;
  /** Write a commit. The same content always has the same hash. */
  write(content: CommitContent): Promise<string>;
  /** The tree of all files that git does not ignore. */
  content(): Promise<string>;
  /** Give executors a fresh repository, without leftovers of earlier executors. */
  renew(): void;
  /** Show executors a commit as HEAD, without changing files. */
  showAt(head: string): Promise<void>;
}

/** Author of all commits of a checkout, with a fixed time, so that commits differ only by their content. */
const author = "fixpoint <fixpoint@localhost> 946684800 +0000";
const remoteTimeoutMs = 10 * 60_000;
const mostKnown = 20;

/** The repository that all checkouts of a machine share. @param cache Absolute folder of a working tree. */
export const cacheStore = (cache: string): Store => ({
  ...{ folder: join(cache, ".git"), workTree: cache, index: join(cache, ".git", "index"), isUsers: true },
});

export const callRemote = (store: Store, words: readonly string[]): Promise<GitEnd | null> =>
  callGit(words, { cwd: store.workTree, store, remote: true, timeoutMs: remoteTimeoutMs });

/** @param index Absolute path of the index of fixpoint. */
export function checkoutGit(cache: string, folder: string, index: string): CheckoutGit {
  const shown = join(folder, ".git");
  const objects = join(shown, "objects");
  const { folder: gitFolder } = cacheStore(cache);
  const plain: Store = { folder: gitFolder, workTree: folder, index, objectFolder: objects };
  const withUsers: Store = { ...plain, isUsers: true };
  const known = latest<CommitContent>(mostKnown);
  let last: { readonly mark: string; readonly tree: string } | null = null;
  const call = async (store: Store, words: readonly string[], verb: string, stdin?: string): Promise<string> => {
    const end = await callGit(words, { cwd: folder, store, ...(stdin !== undefined && { stdin }) });
    if (end?.exitCode !== 0) throw gitRefused(verb, folder, reasonOf(end));
    return end.stdout;
  };
  /** Make the folder of objects a real folder: an attempt may have replaced it by a link, or put links into it. */
  const holdObjects = (): void => {
    for (const path of [shown, objects, join(objects, "info")]) {
      if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) rmSync(path, { force: true });
    }
    mkdirSync(join(objects, "info"), { recursive: true, mode: 0o700 });
    for (const entry of readdirSync(objects, { withFileTypes: true })) {
      if (!entry.isDirectory()) rmSync(join(objects, entry.name));
    }
    rmSync(join(objects, "info"), { recursive: true });
    mkdirSync(join(objects, "info"));
    writeFileSync(join(objects, "info", "alternates"), `${join(gitFolder, "objects")}\n`);
  };
  const renew = (): void => {
    holdObjects();
    const others = readdirSync(shown).filter((name) => name !== "objects");
    for (const name of others) rmSync(join(shown, name), { recursive: true, force: true });
    for (const name of ["refs", "info"]) mkdirSync(join(shown, name));
    writeFileSync(join(shown, "info", "exclude"), ".fixpoint\n");
    writeFileSync(join(shown, "config"), "[core]\n\trepositoryformatversion = 0\n\tbare = false\n");
  };
  const checkout: CheckoutGit = {
    renew,
    own: (words, verb, stdin) => call(plain, words, verb, stdin),
    users: (words, verb) => {
      // No other process writes this index, so an existing lock is stale.
      rmSync(`${index}.lock`, { force: true });
      return call(withUsers, words, verb);
    },
    end: (words) => callGit(words, { cwd: folder, store: plain }),
    remote: (words) => callRemote(withUsers, words),
    read: async (commit) => {
      const found = known.get(commit) ?? parse(await checkout.end(["cat-file", "commit", commit]));
      if (found !== null) known.set(commit, found);
      return found;
    },
    write: async (content) => {
      const { tree, parent, message } = content;
      const lines = [`tree ${tree}`, `parent ${parent}`, `author ${author}`, `committer ${author}`, "", message];
      const how = ["hash-object", "-t", "commit", "-w", "--stdin"];
      holdObjects();
      const hash = (await checkout.own(how, "write a commit", lines.join("\n"))).trim();
      known.set(hash, content);
      return hash;
    },
    content: async () => {
      holdObjects();
      await checkout.users(["add", "-A"], "read the files");
      if (last?.mark === markOf(index)) return last.tree;
      const tree = (await checkout.own(["write-tree"], "write a tree")).trim();
      last = { mark: markOf(index), tree };
      return tree;
    },
    showAt: async (head) => {
      writeFileSync(join(shown, "HEAD"), `${head}\n`);
      const shownIndex = join(shown, "index");
      copyFileSync(index, shownIndex);
      // Keep the recorded file times of unchanged entries, so that git need not read these files again.
      await call({ ...plain, index: shownIndex }, ["read-tree", "-m", head], "make an index");
    },
  };
  return checkout;
}

/** The hash that git writes at the end of an index. */
const markOf = (index: string): string => readFileSync(index).subarray(-20).toString("hex");

function parse(end: GitEnd | null): CommitContent | null {
  if (end?.exitCode !== 0) return null;
  const at = end.stdout.indexOf("\n\n");
  const lines = end.stdout.slice(0, at).split("\n");
  const of = (name: string): string => lines.find((line) => line.startsWith(`${name} `))?.slice(name.length + 1) ?? "";
  return { tree: of("tree"), parent: of("parent"), message: end.stdout.slice(at + 2) };
}

export const unreachable = (verb: string, what: string, repo: string, why: string): EnvironmentError =>
  new EnvironmentError(`Cannot ${verb} ${what} at \`${repo}\`: ${why}`, {
    code: "repository-unreachable",
    hint: `Check that git can ${verb} there from this machine: address, login, and rights for refs/fixpoint`,
  });
