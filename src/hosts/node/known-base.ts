import { existsSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";
import type { Journal } from "../../adapters/journal.ts";
import { refused } from "../../adapters/refused.ts";
import { writeAtomic } from "../../adapters/write-atomic.ts";
import type { PlanBases } from "./rebuild-base.ts";

export const keptPlan = (folder: string, segment: number): string => join(folder, `plan-${segment}.md`);

/** The plan as starts found or accepted it, beside their segments of the journal. */
export function knownBases({ folder, segment }: Pick<Journal, "folder" | "segment">): PlanBases {
  return {
    keep: (text) => {
      const path = keptPlan(folder, segment);
      refused("write", path, () => writeAtomic(path, text, { temporary: `${path}.tmp`, durable: true }));
    },
    pathOf: (number = segment) => join(...keptPlan(folder, number).split(sep).slice(-3)),
    find: (number) => {
      const path = keptPlan(folder, number);
      return existsSync(path) ? refused("read", path, () => readFileSync(path, "utf8")) : null;
    },
  };
}
