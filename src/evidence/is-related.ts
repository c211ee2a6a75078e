import type { RedCheck } from "../model/check-run.ts";
import { covers, join } from "../model/paths.ts";
import { folderOf } from "./test-files.ts";

export interface Work {
  /** Files, folders and patterns that the task names. */
  readonly named: readonly string[];
  /** Files changed by the task's attempts; null if unknown. */
  readonly changed: readonly string[] | null;
}

/**
 * Whether a failed check relates to a task: the task names or changed the check's file, or a file that it imports by a
 * relative path. True if unknown.
 *
 * @param textOf Reads a file of the workspace; null if impossible.
 */
export function isRelated({ file }: RedCheck, work: Work, textOf: (path: string) => string | null): boolean {
  const { named, changed } = work;
  if (file === null || changed === null || (named.length === 0 && changed.length === 0)) return true;
  const path = file.replace(/^\.\//, "");
  // Tests in other languages do not name their subject by path.
  const text = /\.(?:[cm]?[jt]sx?|pyi?|sh|bats)$/.test(path) ? textOf(path) : null;
  if (text === null) return true;
  const places = [path, ...importsIn(path, text)];
  return places.some((place) => [...named, ...changed].some((own) => meets(own, place)));
}

/** Whether `place` means the file `own`. Like an import, `place` may lack the extension and the source folder. */
function meets(own: string, place: string): boolean {
  if (covers(own, place)) return true;
  const bare = own.replace(/(?:\/(?:index|__init__))?\.\w+$/, "");
  return bare === place || bare.endsWith(`/${place}`);
}

const imports = [
  /(?:\bfrom|\bimport|\brequire\(|\bimport\()\s{0,4}["'](\.{1,2}\/[^"'\n]{1,200})["']/g,
  /^\s{0,20}from\s{1,4}(\.{0,3}[\w.]{1,200})\s{1,4}import\b/gm,
  /^\s{0,20}import\s{1,4}([\w.]{1,200})/gm,
];

/** Paths of imported files, without extension if the import has none. */
export function importsIn(path: string, text: string): string[] {
  const folder = folderOf(path);
  const [script = [], from = [], plain = []] = imports.map((sign) =>
    [...text.matchAll(sign)].map(([, name]) => name as string),
  );
  if (!/\.pyi?$/.test(path)) return script.map((name) => join(folder, name));
  return [...from, ...plain].flatMap((name) => {
    const dotted = name.replace(/^\.+/, "");
    const dots = name.length - dotted.length;
    const module = dotted.replaceAll(".", "/");
    return dots === 0 ? [module, join(folder, module)] : [join(folder, `${"../".repeat(dots - 1)}${module}`)];
  });
}
