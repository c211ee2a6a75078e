import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { JournalReading } from "../../adapters/journal.ts";
import { refused } from "../../adapters/refused.ts";
import { writeAtomic } from "../../adapters/write-atomic.ts";
import { applyEdit, openPlan, type PlanDocument } from "../../markdown/document/plan-document.ts";
import { fixEdit } from "../../markdown/insert-fix-task.ts";
import { tickEdit } from "../../markdown/tick-task.ts";
import type { FixTask } from "../../model/fix-task.ts";
import type { Plan } from "../../model/plan.ts";
import { taskOf } from "../../model/reply.ts";

/** Where a start keeps the plan as it found it. */
const basePath = (folder: string, segment: number): string => join(folder, `plan-${segment}.md`);

/** Keep the plan as a start found or accepted it, so that the next one can tell what others did to it. */
export function keepBase(folder: string, segment: number, text: string): void {
  const path = basePath(folder, segment);
  refused("write", path, () => writeAtomic(path, text, { temporary: `${path}.tmp`, durable: true }));
}

/**
 * The plan as the starts before left it: what the last of them began with, and the edits that were recorded since. A
 * start that was killed before it kept what it began with has edited nothing.
 *
 * @param found The plan as it is now: whether an insertion that was only intended was made still.
 */
export function rebuildBase(
  folder: string,
  { segments, records }: JournalReading,
  intended: (fix: string) => FixTask | null,
  found: Plan,
): PlanDocument | undefined {
  const from = segments.findLastIndex(({ header }) => existsSync(basePath(folder, header.segment)));
  const first = segments[from];
  if (first === undefined) return undefined;
  const path = basePath(folder, first.header.segment);
  const start = openPlan(refused("read", path, () => readFileSync(path, "utf8")));
  const recorded = segments
    .slice(from)
    .flatMap((segment) => segment.records)
    .reduce<PlanDocument>((plan, record) => {
      if (record.type !== "answered") return plan;
      if (record.key.endsWith("/recordPass")) {
        const edit = tickEdit(plan, taskOf(record.key), true);
        return edit === null ? plan : applyEdit(plan, edit);
      }
      const answer = record.answer as { kind: string; fix?: string };
      const fix = record.key.endsWith("/insertFix") ? intended(answer.fix ?? "") : null;
      return fix === null ? plan : fixEdit(plan, fix).after;
    }, start);
  const last = records.findLast((record) => record.type === "intended")?.fix;
  const made = last !== undefined && found.tasks.some(({ id }) => id === last.id);
  return made && recorded.plan.tasks.some(({ id }) => id === last.fixOf) ? fixEdit(recorded, last).after : recorded;
}
