import { basename } from "node:path";
import type { Recording, Standing } from "../../../model/frame.ts";
import { globalCap, runLimits } from "../../../model/limits.ts";
import type { Plan } from "../../../model/plan.ts";
import type { TimedRunRecord } from "../../../model/record.ts";
import { openQuestions } from "../../../runtime/open-questions.ts";
import { packFrames } from "../../../runtime/pack-frames.ts";
import type { RecordedStart } from "../../../runtime/recorded-run.ts";
import { taskRows } from "../../../runtime/task-rows.ts";
import { filmRun } from "../../../runtime/to-frames.ts";
import { readRun } from "../read-run.ts";
import { specAddress } from "../spec-address.ts";
import { readStatus, type StatusOptions } from "./read-status.ts";
import { holderOf, startsIn } from "./recorded-starts.ts";

/** A run as the page shows it, and what more can be read of it. */
export interface RecordedFilm {
  readonly recording: Recording;
  readonly starts: readonly RecordedStart[];
  /** Number of the frame from which each record is seen. */
  readonly places: ReadonlyMap<TimedRunRecord, number>;
  readonly plan: Plan;
  readonly dataFolder: string;
}

/**
 * A run as the page shows it, from the plan and the journal. Changes nothing, so the run may be alive.
 *
 * @param folder Folder of the spec.
 * @throws {InputError} `run-missing`, `plan-too-large`, `plan-too-deep`, `journal-corrupt`, `journal-newer`,
 *   `journal-older`
 * @throws {EnvironmentError} `file-refused`
 */
export function readRecording(
  folder: string,
  { run, address = specAddress({ folder, name: basename(folder) }) }: StatusOptions = {},
): RecordedFilm {
  const { plan, journal, isLatest, dataFolder } = readRun(folder, run, address);
  const alive = isLatest && holderOf(journal) !== null;
  const starts = startsIn(journal);
  const first = journal.segments[0]?.header;
  const { frames, places } = filmRun(starts, { alive, seed: first?.seed });
  const policy = starts.at(-1)?.policy;
  const set = policy === undefined ? [] : Object.entries(runLimits(policy));
  const limits = set.flatMap(([limit, max]) => (max === null ? [] : [{ limit, max }]));
  const cap = policy === undefined || policy.maxGlobalIterations !== null ? [] : [globalCap(policy, first?.open ?? 0)];
  return {
    recording: {
      version: 1,
      ...{ spec: basename(folder), run: journal.run },
      limits: [...cap.map((max) => ({ limit: "maxGlobalIterations", max })), ...limits],
      standing: standingOf(),
      tasks: taskRows(plan, journal.records, frames),
      frames: packFrames(frames),
      left: [],
    },
    ...{ starts, places, plan, dataFolder },
  };

  function standingOf(): Standing {
    const { question } = readStatus(folder, { run, address });
    const [asked] = question === null ? [] : openQuestions(starts);
    return {
      running: alive,
      paused: alive && frames.at(-1)?.paused === true,
      question: question && { task: asked?.task ?? null, ...question },
    };
  }
}
