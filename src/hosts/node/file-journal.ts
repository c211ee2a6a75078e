import { join } from "node:path";
import { shortPath } from "../../adapters/files/folder.ts";
import { readRegular } from "../../adapters/files/own-file.ts";
import { refused } from "../../adapters/files/refused.ts";
import { draftPath, writeAtomic } from "../../adapters/files/write-atomic.ts";
import type { Journal as OpenJournal } from "../../adapters/journal/journal.ts";
import { planName } from "../../adapters/journal/read-journal.ts";
import type { Journal, PlanBases } from "../../ports/journal.ts";
import { replyFiles } from "./executors/reply-files.ts";

const keptPlan = (folder: string, segment: number): string => join(folder, planName(segment));

/** Where the outputs of a run are. */
export const outputFolder = ({ folder }: Pick<OpenJournal, "folder">): string => join(folder, "out");

/** The journal of a run over files: records, and beside them replies and the plan as starts found or accepted it. */
export const fileJournal = (opened: OpenJournal): Journal & OpenJournal => ({
  ...opened,
  ...replyFiles(outputFolder(opened), opened.checkFence),
  bases: planFiles(opened),
});

/** The plan as starts found or accepted it, beside their segments of the journal. */
export const planFiles = ({
  folder,
  segment,
  checkFence,
}: Pick<OpenJournal, "folder" | "segment" | "checkFence">): PlanBases => ({
  keep: (text) => {
    const path = keptPlan(folder, segment);
    refused("write", path, () => {
      checkFence();
      const temporary = draftPath(folder, planName(segment));
      writeAtomic(path, text, { temporary, durable: true, check: checkFence });
    });
  },
  pathOf: (number = segment) => shortPath(process.cwd(), keptPlan(folder, number)),
  find: (number) => {
    const path = keptPlan(folder, number);
    return refused("read", path, () => readRegular(path))?.toString("utf8") ?? null;
  },
});
