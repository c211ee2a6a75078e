import { join, sep } from "node:path";
import { draftPath } from "../../adapters/draft-path.ts";
import type { Journal } from "../../adapters/journal.ts";
import { readRegular } from "../../adapters/own-file.ts";
import { refused } from "../../adapters/refused.ts";
import { writeAtomic } from "../../adapters/write-atomic.ts";
import type { PlanBases } from "../../ports/journal.ts";

const planName = (segment: number): string => `plan-${segment}.md`;
export const keptPlan = (folder: string, segment: number): string => join(folder, planName(segment));

/** The plan as starts found or accepted it, beside their segments of the journal. */
export function knownBases({
  folder,
  segment,
  checkFence,
}: Pick<Journal, "folder" | "segment" | "checkFence">): PlanBases {
  return {
    keep: (text) => {
      const path = keptPlan(folder, segment);
      refused("write", path, () => {
        checkFence();
        const temporary = draftPath(folder, planName(segment));
        writeAtomic(path, text, { temporary, durable: true, check: checkFence });
      });
    },
    pathOf: (number = segment) => join(...keptPlan(folder, number).split(sep).slice(-3)),
    find: (number) => {
      const path = keptPlan(folder, number);
      return refused("read", path, () => readRegular(path))?.toString("utf8") ?? null;
    },
  };
}
