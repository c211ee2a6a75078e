import { lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { appendSummary } from "../markdown/summary/append-summary.ts";
import type { Documents } from "../ports/documents.ts";
import { bytesOf, textOf } from "./bytes-as-text.ts";
import { lookAtOwn, withOwn } from "./own-file.ts";
import { refused } from "./refused.ts";
import { writeAtomic } from "./write-atomic.ts";

/**
 * The summary of a spec as a file in its folder: a regular file of its own, or a link to one inside the folder.
 *
 * @param temporary File that is written before it takes the place of the summary.
 * @param checkFence Throws when another coordinator has taken the spec over; called before anything is written.
 */
export function summaryFile(folder: string, temporary: string, checkFence: () => void): Pick<Documents, "summarize"> {
  const path = join(folder, "SUMMARY.md");
  return {
    summarize: async (entry) =>
      refused("write", path, () => {
        const found = lstatSync(path, { bigint: true, throwIfNoEntry: false });
        const target = found === undefined ? null : lookAtOwn(path, folder, found).target;
        const content = target === null ? Buffer.alloc(0) : withOwn(target, "read", (file) => readFileSync(file));
        const { text, isUtf8 } = textOf(content);
        const after = appendSummary(text, entry);
        if (after === text) return;
        checkFence();
        writeAtomic(target ?? path, isUtf8 ? after : bytesOf(after), { temporary, durable: true, check: checkFence });
      }),
  };
}
