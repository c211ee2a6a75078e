import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * An edit of a spec's document: at offset `at`, `put` replaces `cut` characters; `put` is null if the document was
 * removed.
 */
export interface DocumentEdit {
  readonly name: string;
  readonly at: number;
  readonly cut: number;
  readonly put: string | null;
}

export type SpecDocuments = Map<string, string>;

/** Names of the files that the coordinator writes in a spec folder. */
export const isOwn = /^(?:tasks\.md|\.progress(?:-.*)?\.md|SUMMARY\.md|stuck-report\.md)$/;

export function readSpecDocuments(folder: string): SpecDocuments {
  const names = readdirSync(folder).filter((name) => isOwn.test(name));
  return new Map(names.map((name) => [name, readFileSync(join(folder, name), "utf8")]));
}

/** Write documents to a folder, and remove the other documents of the folder. */
export function writeSpecDocuments(folder: string, texts: SpecDocuments): void {
  mkdirSync(folder, { recursive: true });
  for (const name of readSpecDocuments(folder).keys()) if (!texts.has(name)) rmSync(join(folder, name));
  for (const [name, text] of texts) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

/**
 * The edits that turn one set of documents into another: for each changed document, the text between the common
 * beginning and end.
 */
export function editsBetween(before: SpecDocuments, after: SpecDocuments): readonly DocumentEdit[] {
  const gone = [...before.keys()].filter((name) => !after.has(name));
  const changed = [...after].flatMap(([name, text]): DocumentEdit[] => {
    const old = before.get(name);
    if (old === text) return [];
    return [{ name, ...between(old ?? "", text) }];
  });
  return [...gone.map((name) => ({ name, at: 0, cut: 0, put: null })), ...changed];
}

function between(old: string, text: string): Omit<DocumentEdit, "name"> {
  const most = Math.min(old.length, text.length);
  let at = 0;
  while (at < most && old[at] === text[at]) at += 1;
  let end = 0;
  while (end < most - at && old[old.length - 1 - end] === text[text.length - 1 - end]) end += 1;
  return { at, cut: old.length - end - at, put: text.slice(at, text.length - end) };
}

export function applyEdits(texts: SpecDocuments, edits: readonly DocumentEdit[]): void {
  for (const { name, at, cut, put } of edits) {
    const old = texts.get(name) ?? "";
    if (put === null) texts.delete(name);
    else texts.set(name, old.slice(0, at) + put + old.slice(at + cut));
  }
}
