import { split, type TreeStore, TreeUnknown } from "./tree-store.ts";

/**
 * Copy objects that only the user's repository has into the store as one pack, because the user may prune them. Skips
 * objects that both lack, as in a partial clone. If the copy fails, no object is copied.
 *
 * @returns Whether the copy succeeded.
 */
export async function keepObjects({ call, packs }: TreeStore, signal: AbortSignal | undefined): Promise<boolean> {
  const entries = split(await call(["ls-files", "-s", "-z"], { signal }));
  const blobs = entries.flatMap((entry) => (entry.startsWith("160000") ? [] : [entry.split(" ", 2)[1] as string]));
  try {
    const borrowed = await missing(call, [...new Set(blobs)], { signal });
    const gone = new Set(await missing(call, borrowed, { signal, all: true }));
    const wanted = borrowed.filter((name) => !gone.has(name));
    if (wanted.length === 0) return true;
    await call(["pack-objects", "-q", "--window=0", packs], { stdin: lines(wanted), signal, all: true });
    return true;
  } catch (error) {
    if (!(error instanceof TreeUnknown) || signal?.aborted === true) throw error;
    return false;
  }
}

async function missing(
  call: TreeStore["call"],
  names: readonly string[],
  input: Parameters<TreeStore["call"]>[1],
): Promise<string[]> {
  if (names.length === 0) return [];
  const told = await call(["cat-file", "--batch-check=%(objectname)", "--buffer"], { ...input, stdin: lines(names) });
  return told.split("\n").flatMap((line) => (line.endsWith(" missing") ? [line.slice(0, -" missing".length)] : []));
}

const lines = (names: readonly string[]): string => names.map((name) => `${name}\n`).join("");
