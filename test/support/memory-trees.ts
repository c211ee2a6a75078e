import { createHash } from "node:crypto";
import type { Trees, Worktree, WorktreePorts, Worktrees } from "../../src/ports/git.ts";

type Files = Map<string, string>;

export type Contents = Map<string, ReadonlyMap<string, string>>;

export function memoryTrees(files: Files, known: Contents = new Map()): Trees {
  const name = (content: ReadonlyMap<string, string>): string => {
    const sorted = new Map([...content].sort(([a], [b]) => (a < b ? -1 : 1)));
    const hash = createHash("sha1")
      .update(JSON.stringify([...sorted]))
      .digest("hex");
    known.set(hash, sorted);
    return hash;
  };
  return {
    keeps: true,
    now: async () => name(files),
    changes: async (from, to) => {
      const [one, other] = [known.get(from), known.get(to)];
      if (one === undefined || other === undefined) return null;
      const paths = [...new Set([...one.keys(), ...other.keys()])].sort();
      return paths
        .map((path) => ({ path, before: one.get(path) ?? null, after: other.get(path) ?? null }))
        .filter(({ before, after }) => before !== after);
    },
    read: async (tree, paths) => new Map(paths.map((path) => [path, known.get(tree)?.get(path) ?? null])),
    restore: async (_from, to, paths) => {
      const wanted = known.get(to);
      if (wanted === undefined) return null;
      const [written, removed] = [paths.filter((path) => wanted.has(path)), paths.filter((path) => !wanted.has(path))];
      for (const path of written) files.set(path, wanted.get(path) as string);
      for (const path of removed) files.delete(path);
      return { written, removed, left: [] };
    },
    merge: async (...names) => {
      const [base, ours, theirs] = names.map((each) => known.get(each));
      if (base === undefined || ours === undefined || theirs === undefined) return null;
      const merged: Files = new Map(ours);
      const conflicts: string[] = [];
      for (const path of new Set([...base.keys(), ...ours.keys(), ...theirs.keys()])) {
        const [was, own, other] = [base.get(path), ours.get(path), theirs.get(path)];
        if (other === was || other === own) continue;
        if (own !== was) conflicts.push(path);
        else if (other === undefined) merged.delete(path);
        else merged.set(path, other);
      }
      return { tree: name(merged), conflicts: conflicts.sort() };
    },
  };
}

export interface MemoryPlace {
  readonly workspace: string;
  readonly files: Files;
}

export function memoryWorktrees(
  files: Files,
  known: Contents,
  portsOf: (place: MemoryPlace) => Pick<WorktreePorts, "shell">,
): Worktrees {
  const trees = memoryTrees(files, known);
  const used = new Map<string, Worktree>();
  let count = 0;
  return {
    open: async (task, from) => {
      const there = used.get(task);
      if (there !== undefined) return there;
      const base = from?.base ?? (await trees.now()) ?? "";
      count += 1;
      const place = { workspace: `/apart/${count}`, files: new Map(known.get(from?.content ?? base)) };
      const ports = { ...place, ...portsOf(place), trees: memoryTrees(place.files, known) };
      const opened = { base, ports, copy: "/spec", takeLog: () => {} };
      used.set(task, opened);
      return opened;
    },
    close: (task) => void used.delete(task),
  };
}
