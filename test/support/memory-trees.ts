import { createHash } from "node:crypto";
import type { Trees } from "../../src/ports/trees.ts";

/** Names and compares the content of a workspace that is a map of files. */
export function memoryTrees(files: Map<string, string>): Trees {
  const known = new Map<string, ReadonlyMap<string, string>>();
  return {
    keeps: true,
    now: async () => {
      const content = new Map([...files].sort(([a], [b]) => (a < b ? -1 : 1)));
      const name = createHash("sha1")
        .update(JSON.stringify([...content]))
        .digest("hex");
      known.set(name, content);
      return name;
    },
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
  };
}
