import { existsSync, lstatSync, readFileSync, realpathSync, renameSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { InputError } from "../../model/errors.ts";
import type { Documents } from "../../ports/documents.ts";
import { isStuckReport } from "../../wording/report/is-stuck-report.ts";
import { confinedPath, makeFolder, wayInside } from "../files/folder.ts";
import { lookAtOwn, withOwn } from "../files/own-file.ts";
import { refused } from "../files/refused.ts";
import { writeAtomic } from "../files/write-atomic.ts";

/** Where reports go. */
export interface ReportPlace {
  /** The spec's. */
  readonly folder: string;
  readonly workspace: string;
  /** From the workspace; null: `stuck-report.md` in the spec's folder. */
  readonly path: string | null;
}

/**
 * The report of a checkpoint as a file: `stuck-report.md` in the spec's folder, or a file in the workspace. An existing
 * file must be a report, in a regular file of its own or behind a link to one inside the same folder.
 *
 * @param temporary File that is written first and then replaces the report.
 * @param checkFence Throws when another coordinator has taken the spec over; called before anything is written.
 */
export function reportFile({
  folder,
  workspace,
  temporary,
  checkFence,
}: {
  folder: string;
  workspace: string;
  temporary: string;
  checkFence: () => void;
}): Pick<Documents, "report"> {
  return {
    report: async (text, path) => {
      const { place, target } = findReport({ folder, workspace, path });
      return refused("write", place, () => {
        checkFence();
        makeFolder(dirname(target));
        writeAtomic(target, text, { temporary, durable: true, check: checkFence });
        const written = join(realpathSync(dirname(place)), basename(place));
        return wayInside(realpathSync(workspace), written) ?? place;
      });
    },
  };
}

/**
 * Where a report is to be written.
 *
 * @throws {InputError} `report-outside`, and `report-occupied` where something else stands there
 * @throws {EnvironmentError} `file-refused`
 */
export function findReport({ folder, workspace, path }: ReportPlace): { place: string; target: string } {
  const asked = path ?? join(folder, "stuck-report.md");
  return refused("look at", asked, () => {
    const place = path === null ? asked : confinedPath(path, workspace);
    const found = lstatSync(place, { bigint: true, throwIfNoEntry: false });
    if (found === undefined) return { place, target: place };
    // Links in a given path have been followed.
    const { target } = lookAtOwn(place, folder, found);
    if (!isStuckReport(withOwn(target, "read", (file) => readFileSync(file, "utf8")))) throw occupied(asked);
    return { place, target };
  });
}

/**
 * Move a report that was answered into the folder of run data, beside the earlier ones.
 *
 * @returns Where it is now; null when there is none.
 * @throws {EnvironmentError} `file-refused`
 */
export function putReportAway(place: ReportPlace, dataFolder: string): string | null {
  const { target } = findReport(place);
  if (!existsSync(target)) return null;
  let number = 1;
  const kept = (): string => join(dataFolder, `stuck-report-${number}.md`);
  while (existsSync(kept())) number += 1;
  refused("move", target, () => renameSync(target, kept()));
  return kept();
}

const occupied = (path: string): InputError =>
  new InputError(`Cannot use \`${path}\` for the stuck report, expected no other file there`, {
    code: "report-occupied",
    hint: "Name another path with --stuck-report, or move that file away",
  });
