import { createQueue } from "../../model/create-queue.ts";
import { latest } from "../../model/latest.ts";
import type { MergedTrees, TreeChange, Trees } from "../../ports/git.ts";
import { findRepository } from "./find-repository.ts";
import { diffTrees, type Side } from "./trees/diff-trees.ts";
import { readTexts } from "./trees/read-texts.ts";
import { restoreTree } from "./trees/restore-tree.ts";
import { openTreeIndex, type TreeIndex } from "./trees/tree-index.ts";
import { below, openTreeStore, split, type TreePlace, type TreeStore, TreeUnknown } from "./trees/tree-store.ts";

export interface TreesOptions extends TreePlace {
  /** Called with the reason if the content is unknown; only once for equal reasons in a row. */
  readonly onUnknown?: (reason: string) => void;
}

export interface OpenTrees extends Trees {
  close(): void;
}

const mostTexts = 500;
const mostKept = 4;
const mostKeptText = 2_000_000;
const treeName = /^[0-9a-f]{40}$/;

/**
 * Content of a workspace, stored in a private git repository with an index that is kept between calls. The user's
 * repository is read once and never written.
 */
export function trees({ onUnknown = () => {}, ...place }: TreesOptions): OpenTrees {
  let opened: Promise<TreeStore> | null = null;
  let index: TreeIndex | null = null;
  let isOver = false;
  let told: string | null = null;
  const open = (): Promise<TreeStore> => {
    opened ??= openTreeStore(place);
    opened.catch(() => {
      opened = null;
    });
    return opened;
  };
  const look = async (signal: AbortSignal | undefined): Promise<string> => {
    index ??= await openTreeIndex(await open(), signal);
    return index.look(signal);
  };
  /** Try again after a failure: the index may have been broken, or a file may have changed while it was read. */
  const lookTwice = async (signal: AbortSignal | undefined): Promise<string> => {
    try {
      return await look(signal);
    } catch (error) {
      index = null;
      if (!(error instanceof TreeUnknown) || error.isFinal || isAborted(signal)) throw error;
      return look(signal);
    }
  };
  const oneByOne = createQueue();
  const compared = latest<NonNullable<Changes>>(mostKept);
  const known = async <Found>(find: (store: TreeStore) => Promise<Found>, unknown: Found): Promise<Found> => {
    try {
      return await find(await open());
    } catch (error) {
      if (error instanceof TreeUnknown) return unknown;
      throw error;
    }
  };
  return {
    keeps: findRepository(place.workspace) !== null,
    now: (signal) =>
      oneByOne(async () => {
        if (isOver || isAborted(signal)) return null;
        try {
          const name = await lookTwice(signal);
          told = null;
          return name;
        } catch (error) {
          index = null;
          if (!(error instanceof TreeUnknown) && !isSystemError(error)) throw error;
          if (isAborted(signal)) return null;
          isOver = error instanceof TreeUnknown && error.isFinal;
          if (told !== error.message) onUnknown(error.message);
          told = error.message;
          return null;
        }
      }),
    changes: async (from, to) => {
      const key = `${from} ${to}`;
      const changes = compared.get(key) ?? (await known((store) => compare(store, from, to), null));
      // Keep the comparison, because an attempt is judged several times.
      if (changes !== null && lengthOf(changes) <= mostKeptText) compared.set(key, changes);
      return changes;
    },
    read: async (tree, paths) => {
      const texts = await known((store) => readFiles(store, tree, paths), new Map<string, string>());
      return new Map(paths.map((path) => [path, texts.get(path) ?? null]));
    },
    restore: (from, to, paths) =>
      oneByOne(() =>
        known(async (store) => {
          const isWanted = new Set(paths);
          const changes = await diffTrees(store, from, to, []);
          return restoreTree(
            store,
            to,
            changes.filter(({ path }) => isWanted.has(below(store, path))),
          );
        }, null),
      ),
    merge: (base, ours, theirs) => known((store) => mergeTrees(store, base, ours, theirs), null),
    close: () => {
      try {
        index?.close();
      } catch (error) {
        // Ignore a system error: without the saved index, the next start only has to read all files.
        if (!isSystemError(error)) throw error;
      }
      index = null;
    },
  };
}

type Changes = readonly TreeChange[] | null;

const lengthOf = (changes: NonNullable<Changes>): number =>
  changes.reduce((sum, { before, after }) => sum + (before?.length ?? 0) + (after?.length ?? 0), 0);

const isAborted = (signal: AbortSignal | undefined): boolean => signal?.aborted === true;
const isSystemError = (error: unknown): error is Error => error instanceof Error && "syscall" in error;

async function compare(store: TreeStore, from: string, to: string): Promise<Changes> {
  if (!treeName.test(from) || !treeName.test(to)) return null;
  const found = (await diffTrees(store, from, to, []))
    .map(({ path, now, wanted }) => ({ path: below(store, path), sides: [now, wanted] as const }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
  // Put new files last, because they can be numerous.
  const ordered = found.toSorted((a, b) => Number(a.sides[0] === null) - Number(b.sides[0] === null));
  const told = new Set(ordered.slice(0, mostTexts));
  const wanted = [...told].flatMap(({ sides }) => sides.flatMap((side) => blobOf(side) ?? []));
  const texts = await readTexts(store, [...new Set(wanted)]);
  return found.map((each) => {
    const { path, sides } = each;
    const isTold = told.has(each);
    const [before, after] = sides.map((part) => {
      if (part === null) return null;
      return isTold ? texts.get(blobOf(part) ?? "") : undefined;
    });
    const isRead = before !== undefined && after !== undefined;
    return {
      path,
      before: before === undefined ? "" : before,
      after: after === undefined ? "" : after,
      ...(!isRead && { unread: true }),
      ...(sides[0]?.mode === "100755" && sides[1]?.mode === "100644" && { isNoProgram: true }),
    };
  });
}

/** Return the object with the text of a file or link; null for a nested repository. */
const blobOf = (side: Side | null): string | null => (side === null || side.mode === "160000" ? null : side.blob);

/** Paths that git does not accept for files, or that do not fit in one line. */
const outside = /^$|^\/|[\0\n]|(?:^|\/)\.{1,2}(?:\/|$)/;

async function readFiles(store: TreeStore, tree: string, paths: readonly string[]): Promise<Map<string, string>> {
  if (!treeName.test(tree)) return new Map();
  const nameOf = (path: string) => `${tree}:${Buffer.from(`${store.prefix}${path}`).toString("latin1")}`;
  const wanted = [...new Set(paths)].filter((path) => !outside.test(path));
  const texts = await readTexts(store, wanted.map(nameOf));
  return new Map(
    wanted.flatMap((path) => {
      const text = texts.get(nameOf(path));
      return text === undefined ? [] : [[path, text] as const];
    }),
  );
}

/** A dummy author: git needs these commits only to find the common base. */
const author = ["-c", "user.name=fixpoint", "-c", "user.email=fixpoint"];

/**
 * Merge two trees with a common base, like git branches.
 *
 * @throws {TreeUnknown}
 */
async function mergeTrees(store: TreeStore, base: string, ours: string, theirs: string): Promise<MergedTrees> {
  const { call } = store;
  const commit = async (tree: string, ...parents: readonly string[]): Promise<string> => {
    const words = ["commit-tree", tree, "-m", "fixpoint", ...parents.flatMap((parent) => ["-p", parent])];
    return (await call([...author, ...words], { all: true })).trim();
  };
  const common = await commit(base);
  const sides = [await commit(ours, common), await commit(theirs, common)];
  const how = ["merge-tree", "--write-tree", "--name-only", "--no-messages", "-z"];
  const [tree = "", ...paths] = split(await call([...how, ...sides], { all: true, codes: [0, 1] }));
  // In a conflict, git adds files that are named after a side.
  const beside = (await diffTrees(store, ours, tree, [])).flatMap(({ path }) =>
    paths.length > 0 && sides.some((side) => path.includes(`~${side}`)) ? [path] : [],
  );
  return { tree, conflicts: [...new Set([...paths, ...beside].map((path) => below(store, path)))].sort() };
}
