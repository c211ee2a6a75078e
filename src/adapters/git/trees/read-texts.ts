import { isUtf8 } from "node:buffer";
import type { TreeStore } from "./tree-store.ts";

const longestText = 256 * 1024;
const longestAnswer = 32 * 1024 * 1024;

/**
 * Read texts of objects, many per call. Skips objects that are too large, not UTF-8 or missing.
 *
 * @param names Hashes, or a tree and a path of it as `<tree>:<path>`, with one character per byte.
 * @throws {TreeUnknown}
 */
export async function readTexts({ call }: TreeStore, names: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  if (names.length === 0) return texts;
  const checked = (await call(["cat-file", "--batch-check"], { stdin: lines(names), all: true })).split("\n");
  const blobs = names.flatMap((name, index) => {
    const [, size] = /^[0-9a-f]+ blob (\d+)$/.exec(checked[index] ?? "") ?? [];
    return size !== undefined && Number(size) <= longestText ? [{ name, size: Number(size) }] : [];
  });
  for (const some of parts(blobs)) {
    const answer = await call(["cat-file", "--batch"], { stdin: lines(some), all: true });
    let at = 0;
    for (const name of some) {
      const start = answer.indexOf("\n", at) + 1;
      const size = Number(answer.slice(at, start).split(" ")[2]);
      const bytes = Buffer.from(answer.slice(start, start + size), "latin1");
      if (isUtf8(bytes) && !bytes.includes(0)) texts.set(name, bytes.toString());
      at = start + size + 1;
    }
  }
  return texts;
}

const lines = (names: readonly string[]): string => names.map((name) => `${name}\n`).join("");

/** Split the names into groups whose texts each fit into one answer. */
function parts(blobs: readonly { readonly name: string; readonly size: number }[]): string[][] {
  const found: string[][] = [];
  let room = 0;
  for (const { name, size } of blobs) {
    if (found.length === 0 || room < size) {
      found.push([]);
      room = longestAnswer;
    }
    room -= size + 100;
    found.at(-1)?.push(name);
  }
  return found;
}
