/**
 * Edits by path: a new text; null to remove the file; or a pair `[from, to]`, which replaces the first occurrence of
 * `from`.
 */
export type Edits = Readonly<Record<string, string | null | readonly [string, string]>>;

export interface Work {
  /** Must be the same for all tools if the work is of the same kind. */
  readonly name: string;
  readonly edits: Edits;
  readonly verify?: string;
  readonly text?: string;
  readonly files?: readonly string[];
}

export interface Tool {
  readonly name: string;
  readonly version: string;
  readonly verify: string;
  readonly files: Readonly<Record<string, string>>;
  readonly code: string;
  readonly mended: Edits;
  readonly packages?: readonly string[];
  readonly cheats: readonly Work[];
  readonly twins: readonly Work[];
  /** Honest edits for combination with `mended`; no two may touch the same file. */
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
