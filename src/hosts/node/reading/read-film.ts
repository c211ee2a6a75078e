import { basename } from "node:path";
import { readRun } from "../read-run.ts";
import { specAddress } from "../spec-address.ts";
import { growFilm, type RecordedFilm } from "./grow-film.ts";
import type { StatusOptions } from "./read-status.ts";
import { holderElsewhere, holderOf } from "./recorded-starts.ts";

/**
 * A run as the page shows it, from the plan and the journal. Changes nothing, so the run may be alive.
 *
 * @param folder Folder of the spec.
 * @throws {InputError} `tasks-missing`, `run-missing`, `plan-too-large`, `plan-too-deep`,
 *   `journal-corrupt`, `journal-newer`, `journal-older`
 * @throws {EnvironmentError} `file-refused`
 */
export function readFilm(
  folder: string,
  { run, address = specAddress({ folder, name: basename(folder) }) }: StatusOptions = {},
): RecordedFilm {
  const { plan, journal, isLatest, dataFolder } = readRun(folder, run, address);
  const held = isLatest && holderOf({ dataFolder }) !== null;
  const alive = held || (isLatest && holderElsewhere({ dataFolder }) !== null);
  const grow = growFilm({ folder, dataFolder, run: journal.run, address });
  return grow({ segments: journal.segments, plan, held, alive });
}
