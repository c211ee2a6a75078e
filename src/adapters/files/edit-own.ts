import { lstatSync, readFileSync, rmSync } from "node:fs";
import { bytesOf, textOf } from "./bytes-as-text.ts";
import { lookAtOwn, withOwn } from "./own-file.ts";
import { refused } from "./refused.ts";
import { writeAtomic } from "./write-atomic.ts";

/**
 * Read a document of a spec as text; null when there is none.
 *
 * @throws {EnvironmentError} `file-refused`
 */
export const readOwn = (path: string, folder: string): string | null =>
  refused("read", path, () => {
    const found = lstatSync(path, { bigint: true, throwIfNoEntry: false });
    if (found === undefined) return null;
    return textOf(withOwn(lookAtOwn(path, folder, found).target, "read", (file) => readFileSync(file))).text;
  });

/**
 * Replace the text of a document that exists; null removes the document.
 *
 * @param before The text as it was read: a document that has changed since stays.
 * @param temporary File that is written first and then replaces the document.
 * @returns Whether it was unchanged.
 * @throws {EnvironmentError} `file-refused`
 */
export const replaceOwn = (
  path: string,
  folder: string,
  { before, after, temporary }: { readonly before: string; readonly after: string | null; readonly temporary: string },
): boolean =>
  refused("write", path, () => {
    const found = lstatSync(path, { bigint: true, throwIfNoEntry: false });
    if (found === undefined) return false;
    const { target } = lookAtOwn(path, folder, found);
    const { text, isUtf8 } = textOf(withOwn(target, "read", (file) => readFileSync(file)));
    if (text !== before) return false;
    if (after === null) rmSync(target);
    else writeAtomic(target, isUtf8 ? after : bytesOf(after), { temporary, durable: true });
    return true;
  });
