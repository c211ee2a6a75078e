import { existsSync, fstatSync, lstatSync, readFileSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { PlanDocument } from "../../markdown/document/plan-document.ts";
import { newProgress } from "../../markdown/progress/new-progress.ts";
import { appendSummary } from "../../markdown/summary/append-summary.ts";
import { checkArtifactName } from "../../model/artifact-name.ts";
import type { Documents } from "../../ports/documents.ts";
import { bytesOf, textOf } from "../files/bytes-as-text.ts";
import { lookAtOwn, withOwn } from "../files/own-file.ts";
import { readOwnFile } from "../files/read-own-file.ts";
import { refused } from "../files/refused.ts";
import { draftPath, writeAtomic } from "../files/write-atomic.ts";
import { planFile } from "./plan-file.ts";
import { progressLog } from "./progress-log.ts";
import { reportFile } from "./report-file.ts";

/**
 * The documents of a spec as files in its folder. An artifact is a regular file of its own; only its first MiB counts.
 *
 * @param dataFolder Folder on the same file system, where a new document is written before it replaces the old one.
 * @param workspace Folder that the path of a report starts from and stays in; the spec's own when not given.
 * @param checkFence Throws when another coordinator has taken the spec over; called before anything is written.
 * @param checkHeld The same for what makes no file in the data folder.
 */
export function fileStore({
  folder,
  dataFolder,
  workspace = folder,
  checkFence = () => {},
  checkHeld = checkFence,
}: {
  folder: string;
  dataFolder: string;
  workspace?: string;
  checkFence?: () => void;
  checkHeld?: () => void;
}): Documents & { read(): Promise<PlanDocument> } {
  const temporary = draftPath(dataFolder, "replacement");
  const plan = planFile(join(folder, "tasks.md"), temporary, { checkFence, checkHeld });
  const log = progressLog(folder, temporary, { checkFence, checkHeld });
  return {
    ...plan,
    ...log,
    ...summaryFile(folder, temporary, checkFence),
    ...reportFile({ folder, workspace, temporary, checkFence }),
    artifact: async (name) => {
      checkArtifactName(name);
      const path = join(folder, name);
      return refused("read", path, () => readOwnFile(path));
    },
    flush: async () => {
      await Promise.all([plan.flush(), log.flush()]);
    },
  };
}

/** Make the progress log of a spec when there is none. */
export function makeProgress(path: string, name: string): void {
  const text = newProgress(name);
  refused("write", path, () => {
    if (existsSync(path)) fill(path, text);
    else writeFileSync(path, text, { flag: "wx" });
  });
}

/**
 * Write the beginning of a log that a killed start has made and left empty. Later writes replace the file, so a start
 * that was suspended here changes nothing in its successor's log.
 */
const fill = (path: string, text: string): void =>
  withOwn(path, "edit", (file) => {
    if (fstatSync(file).size === 0) writeSync(file, text);
  });

/**
 * The summary of a spec as a file in its folder: a regular file of its own, or a link to one inside the folder.
 *
 * @param temporary File that is written first and then replaces the summary.
 * @param checkFence Throws when another coordinator has taken the spec over; called before anything is written.
 */
function summaryFile(folder: string, temporary: string, checkFence: () => void): Pick<Documents, "summarize"> {
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
