/**
 * Edits by path: a new text; null to remove the file; or a pair `[from, to]`, which replaces the first occurrence of
 * `from`.
 */
export type Edits = Readonly<Record<string, string | null | readonly [string, string]>>;

export interface Work {
  /** Description; the same for all tools if the work is of the same kind. */
  readonly name: string;
  readonly edits: Edits;
  /** Replaces the Verify of the tool. */
  readonly verify?: string;
  /** Replaces the text of `Do`. */
  readonly text?: string;
  /** Paths in `Files` in addition to the code. */
  readonly files?: readonly string[];
}

export interface Tool {
  readonly name: string;
  /** Command that prints the version; a tool whose command fails is skipped. */
  readonly version: string;
  readonly verify: string;
  readonly files: Readonly<Record<string, string>>;
  readonly code: string;
  readonly mended: Edits;
  /** Packages of this repository that the project's node_modules links to. */
  readonly packages?: readonly string[];
  readonly cheats: readonly Work[];
  /** Honest work; `mended` is part of each. */
  readonly twins: readonly Work[];
  /** Honest edits that may be combined with `mended`; no two touch the same file. */
  readonly pieces: readonly Work[];
}

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
