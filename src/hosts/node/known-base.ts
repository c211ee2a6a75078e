import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { JournalReading } from "../../adapters/journal.ts";
import { refused } from "../../adapters/refused.ts";
import { writeAtomic } from "../../adapters/write-atomic.ts";
import { openPlan, type PlanDocument } from "../../markdown/document/plan-document.ts";
import { InputError } from "../../model/errors.ts";
import type { Plan } from "../../model/plan.ts";
import type { RunRecord } from "../../model/record.ts";
import { effectOf, taskOf } from "../../model/reply.ts";
import { type Intention, intentionsIn, madeIn, standsIn, tickedIn } from "./intention.ts";

/** Where a start keeps the plan as it found it. */
const basePath = (folder: string, segment: number): string => join(folder, `plan-${segment}.md`);

/** Keep the plan as a start found or accepted it, so that the next one can tell what others did to it. */
export function keepBase(folder: string, segment: number, text: string): void {
  const path = basePath(folder, segment);
  refused("write", path, () => writeAtomic(path, text, { temporary: `${path}.tmp`, durable: true }));
}

/**
 * The plan as the starts before left it: what the last of them began with, and the edits that were recorded since. A
 * start that was killed before it kept what it began with has edited nothing. Edits that cannot be made to it are left
 * out: what is kept may be younger than they are.
 *
 * @param found The plan as it is now: whether an edit that was only intended was made still.
 */
export function rebuildBase(
  folder: string,
  { segments, records }: JournalReading,
  found: Plan,
): PlanDocument | undefined {
  const from = segments.findLastIndex(({ header }) => existsSync(basePath(folder, header.segment)));
  const first = segments[from];
  if (first === undefined) return undefined;
  const path = basePath(folder, first.header.segment);
  const start = openPlan(refused("read", path, () => readFileSync(path, "utf8")));
  const recorded = segments.slice(from).flatMap((segment) => segment.records);
  const intended = intentionsIn(records);
  const made = madeIn(records);
  // What was intended and not answered was made when it stands there: also by a start after the one that intended it.
  const pending = [...intended].filter(([key, edit]) => !made.has(key) && standsIn(found, edit));
  const edits = [...recorded.flatMap((record) => editIn(record, intended, made)), ...pending.map(([, edit]) => edit)];
  return edits.reduce(orWithout, start);
}

type Edit = Pick<Intention, "apply">;

/** The edit of the plan that an answer tells of, if it tells of one. */
function editIn(record: RunRecord, intended: ReadonlyMap<string, Intention>, made: ReadonlySet<string>): Edit[] {
  if (record.type !== "answered") return [];
  const { key } = record;
  if (effectOf(key) === "recordPass" && (record.answer as { readonly open?: boolean }).open !== true) {
    return [{ apply: (plan) => tickedIn(plan, taskOf(key)) }];
  }
  const edit = made.has(key) ? intended.get(key) : undefined;
  return edit === undefined ? [] : [edit];
}

function orWithout(plan: PlanDocument, { apply }: Edit): PlanDocument {
  try {
    return apply(plan);
  } catch (error) {
    if (error instanceof InputError) return plan;
    throw error;
  }
}
