import { basename } from "node:path";
import type { SegmentHeader } from "../../../adapters/journal/journal-segment.ts";
import type { SpecAddress } from "../../../model/command-line.ts";
import type { Plan } from "../../../model/plan.ts";
import type { TimedRunRecord } from "../../../model/record.ts";
import { noSeed } from "../../../model/run-seed.ts";
import type { PageRun, PlannedTask } from "../../page/page-data.ts";

interface PageRunOf {
  readonly folder: string;
  readonly run: number;
  readonly address: SpecAddress;
  readonly segments: readonly { readonly header: SegmentHeader }[];
  readonly plan: Pick<Plan, "tasks">;
}

export function pageRunOf({ folder, run, address, segments, plan }: PageRunOf): PageRun {
  const { open = 0, seed = noSeed } = segments[0]?.header ?? {};
  return { spec: basename(folder), run, address, open, seed, tasks: plan.tasks.map(plannedTask) };
}

export const plannedTask = ({ id, title, fixOf, parent, done, isGroup, aside }: PlannedTask): PlannedTask => ({
  ...{ id, title, fixOf, parent, done },
  ...(isGroup !== undefined && { isGroup }),
  ...(aside !== undefined && { aside }),
});

/** Remove outputs from a record for the page, which requests the outputs of a task when its row is opened. */
export function withoutOutput(record: TimedRunRecord): TimedRunRecord {
  if (record.type !== "answered" && record.type !== "judged") return record;
  const { verify, reality } = record;
  const isReply = record.type === "answered" && record.reply !== undefined;
  return {
    ...record,
    ...(verify !== undefined && { verify: silent(verify) }),
    ...(reality !== undefined && { reality: silent(reality) }),
    ...(isReply && { reply: { ...record.reply, text: null } }),
  } as TimedRunRecord;
}

const silent = <Run extends { readonly result: object }>(run: Run): Run => ({
  ...run,
  result: { ...run.result, stdout: "", stderr: "" },
});
