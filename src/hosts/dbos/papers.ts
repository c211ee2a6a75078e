import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** A document of a spec with one stretch of it replaced; `put` null: it is not there any more. */
export interface PaperEdit {
  readonly name: string;
  readonly at: number;
  readonly cut: number;
  readonly put: string | null;
}

/** Texts of documents by their names. */
export type Papers = Map<string, string>;

/** Names of what the coordinator writes in the folder of a spec. */
export const isOwn = /^(?:tasks\.md|\.progress(?:-.*)?\.md|SUMMARY\.md|stuck-report\.md)$/;

/** @param folder Of the spec. */
export function readPapers(folder: string): Papers {
  const names = readdirSync(folder).filter((name) => isOwn.test(name));
  return new Map(names.map((name) => [name, readFileSync(join(folder, name), "utf8")]));
}

/** Leave documents in a folder as they are told: all of them, and no others. */
export function writePapers(folder: string, papers: Papers): void {
  mkdirSync(folder, { recursive: true });
  for (const name of readPapers(folder).keys()) if (!papers.has(name)) rmSync(join(folder, name));
  for (const [name, text] of papers) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

/** What leads from some documents to others: of each that differs, what stands between the common beginning and end. */
export function editsBetween(before: Papers, after: Papers): readonly PaperEdit[] {
  const gone = [...before.keys()].filter((name) => !after.has(name));
  const changed = [...after].flatMap(([name, text]): PaperEdit[] => {
    const old = before.get(name);
    if (old === text) return [];
    return [{ name, ...between(old ?? "", text) }];
  });
  return [...gone.map((name) => ({ name, at: 0, cut: 0, put: null })), ...changed];
}

function between(old: string, text: string): Omit<PaperEdit, "name"> {
  const most = Math.min(old.length, text.length);
  let at = 0;
  while (at < most && old[at] === text[at]) at += 1;
  let end = 0;
  while (end < most - at && old[old.length - 1 - end] === text[text.length - 1 - end]) end += 1;
  return { at, cut: old.length - end - at, put: text.slice(at, text.length - end) };
}

export function applyEdits(papers: Papers, edits: readonly PaperEdit[]): void {
  for (const { name, at, cut, put } of edits) {
    const old = papers.get(name) ?? "";
    if (put === null) papers.delete(name);
    else papers.set(name, old.slice(0, at) + put + old.slice(at + cut));
  }
}
