import { type TreeStore, TreeUnknown } from "./tree-store.ts";

/** Maximum bytes to read per call, unless a single file has more. */
const longestAnswer = 32 * 1024 * 1024;
/** Maximum bytes of git's header line before each content: name, kind and size. */
const longestHeader = 200;
/** Maximum size of a file to read, in bytes. */
const largest = 500 * 1024 * 1024;
export const tooLarge = "it is larger than 500 MiB";

/**
 * Read whole contents; null for a content that is too large.
 *
 * @throws {TreeUnknown} if a content is missing.
 */
export async function readBlobs(
  { call }: TreeStore,
  names: readonly string[],
): Promise<ReadonlyMap<string, Buffer | null>> {
  if (names.length === 0) return new Map();
  const checked = await call(["cat-file", "--batch-check", "--buffer"], { stdin: lines(names), all: true });
  const blobs = checked.split("\n").flatMap((line) => {
    const [name = "", kind, size] = line.split(" ");
    return kind === "blob" ? [{ name, size: Number(size) }] : [];
  });
  if (blobs.length < names.length) throw new TreeUnknown("the content of a file is no longer stored");
  const contents = new Map<string, Buffer | null>();
  for (const { name, size } of blobs) if (size > largest) contents.set(name, null);
  for (const some of parts(blobs.filter(({ size }) => size <= largest))) {
    const mostBytes = some.reduce((sum, { size }) => sum + size + longestHeader, 0);
    const stdin = lines(some.map(({ name }) => name));
    const answer = await call(["cat-file", "--batch", "--buffer"], { stdin, all: true, mostBytes });
    let at = 0;
    for (const { name, size } of some) {
      const start = answer.indexOf("\n", at) + 1;
      const content = Buffer.from(answer.slice(start, start + size), "latin1");
      if (content.length < size) throw new TreeUnknown("the content of a file cannot be read");
      contents.set(name, content);
      at = start + size + 1;
    }
  }
  return contents;
}

const lines = (names: readonly string[]): string => names.map((name) => `${name}\n`).join("");

interface Blob {
  readonly name: string;
  readonly size: number;
}

/** Split the contents into groups that each fit into one answer. */
function parts(blobs: readonly Blob[]): Blob[][] {
  const found: Blob[][] = [];
  let room = 0;
  for (const blob of blobs) {
    room -= blob.size + longestHeader;
    if (found.length === 0 || room < 0) {
      found.push([]);
      room = longestAnswer - blob.size - longestHeader;
    }
    found.at(-1)?.push(blob);
  }
  return found;
}
