/**
 * Texts by path; null: the file is removed; a pair: the first occurrence of the first text is replaced by the second.
 */
export type Edits = Readonly<Record<string, string | null | readonly [string, string]>>;

/** Work of an executor on the only task of the plan. */
export interface Work {
  /** Its description; the same in all tools for the same kind. */
  readonly name: string;
  readonly edits: Edits;
  /** A Verify other than the tool's. */
  readonly verify?: string;
  /** Another text of Do, and other paths of Files besides the code. */
  readonly text?: string;
  readonly files?: readonly string[];
}

/** A small project with one red check, whose code is wrong, and some green ones. */
export interface Tool {
  readonly name: string;
  /** Prints the version; a tool that does not run is skipped. */
  readonly version: string;
  readonly verify: string;
  readonly files: Readonly<Record<string, string>>;
  /** The file with the bug. */
  readonly code: string;
  /** The text of the task. */
  readonly mended: Edits;
  /** Packages of this repository that its node_modules links to. */
  readonly packages?: readonly string[];
  readonly cheats: readonly Work[];
  /** Honest work; `mended` is part of each. */
  readonly twins: readonly Work[];
  /** Honest edits that may be combined with `mended`; no two touch the same file. */
  readonly pieces: readonly Work[];
}

/** Files after edits; null for removed files. */
export function applied(files: Tool["files"], edits: Edits): ReadonlyMap<string, string | null> {
  const entries = Object.entries(edits).map(([path, edit]) => {
    if (edit === null || typeof edit === "string") return [path, edit] as const;
    const [old, fresh] = edit;
    const text = files[path];
    if (text?.includes(old) !== true) throw new Error(`${path} has no ${JSON.stringify(old)}`);
    return [path, text.replace(old, () => fresh)] as const;
  });
  return new Map(entries);
}
