import {
  existsSync,
  fstatSync,
  lstatSync,
  readFileSync,
  realpathSync,
  renameSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import type { PlanDocument } from "../../markdown/document/plan-document.ts";
import { newProgress } from "../../markdown/progress/append-entry.ts";
import { appendSummary } from "../../markdown/summary/append-summary.ts";
import { InputError } from "../../model/errors.ts";
import { checkArtifactName } from "../../model/file-names.ts";
import type { Documents } from "../../ports/documents.ts";
import { isStuckReport } from "../../wording/report/render-stuck-report.ts";
import { confinedPath, makeFolder, wayInside } from "../files/folder.ts";
import { lookAtOwn, withOwn } from "../files/own-file.ts";
import { bytesOf, readOwnFile, textOf } from "../files/read-own-file.ts";
import { refused } from "../files/refused.ts";
import { type SpecFiles, specFiles } from "../files/spec-files.ts";
import { planFile } from "./plan-file.ts";
import { progressLog } from "./progress-log.ts";

/**
 * The documents of a spec as files in its folder. An artifact must be a regular file without further hard links; only
 * its first MiB is read.
 *
 * @param dataFolder Folder for new versions before they replace a document; on the file system of the documents.
 * @param workspace Base folder of report paths; a report must stay inside (the spec folder by default).
 * @param files Checks the spec's lease before each write; without it, nothing is checked.
 */
export function fileStore({
  folder,
  dataFolder,
  workspace = folder,
  files = specFiles(dataFolder),
}: {
  folder: string;
  dataFolder: string;
  workspace?: string;
  files?: SpecFiles;
}): Documents & { read(): Promise<PlanDocument> } {
  const plan = planFile(join(folder, "tasks.md"), files);
  const log = progressLog(folder, files);
  return {
    ...plan,
    ...log,
    ...summaryFile(folder, files),
    ...reportFile({ folder, workspace, files }),
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

export function makeProgress(path: string, name: string): void {
  const text = newProgress(name);
  refused("write", path, () => {
    if (existsSync(path)) fill(path, text);
    else writeFileSync(path, text, { flag: "wx" });
  });
}

/**
 * Write the header into an empty log of a killed start. A suspended start cannot damage the log of its successor here,
 * because the successor has replaced the file.
 */
const fill = (path: string, text: string): void =>
  withOwn(path, "edit", (file) => {
    if (fstatSync(file).size === 0) writeSync(file, text);
  });

/**
 * The summary of a spec is a regular file in its folder without further hard links, or a link to such a file in the
 * folder.
 */
function summaryFile(folder: string, files: SpecFiles): Pick<Documents, "summarize"> {
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
        files.replace(target ?? path, isUtf8 ? after : bytesOf(after));
      }),
  };
}

interface ReportPlace {
  readonly folder: string;
  readonly workspace: string;
  /** Relative to the workspace; null for `stuck-report.md` in the spec folder. */
  readonly path: string | null;
}

/**
 * A checkpoint report is `stuck-report.md` in the spec folder, or a file in the workspace. An existing file must be a
 * report: a regular file without further hard links, or a link to one in the same folder.
 */
function reportFile({
  folder,
  workspace,
  files,
}: {
  folder: string;
  workspace: string;
  files: SpecFiles;
}): Pick<Documents, "report"> {
  return {
    report: async (text, path) => {
      const { place, target } = findReport({ folder, workspace, path });
      return refused("write", place, () => {
        files.check();
        makeFolder(dirname(target));
        files.replace(target, text);
        const written = join(realpathSync(dirname(place)), basename(place));
        return wayInside(realpathSync(workspace), written) ?? place;
      });
    },
  };
}

/**
 * @throws {InputError} `report-outside`; `report-occupied` if another file has this path
 * @throws {EnvironmentError} `file-refused`
 */
export function findReport({ folder, workspace, path }: ReportPlace): { place: string; target: string } {
  const asked = path ?? join(folder, "stuck-report.md");
  return refused("look at", asked, () => {
    const place = path === null ? asked : confinedPath(path, workspace);
    const found = lstatSync(place, { bigint: true, throwIfNoEntry: false });
    if (found === undefined) return { place, target: place };
    // `confinedPath` has followed links already.
    const { target } = lookAtOwn(place, folder, found);
    if (!isStuckReport(withOwn(target, "read", (file) => readFileSync(file, "utf8")))) throw occupied(asked);
    return { place, target };
  });
}

/**
 * Move an answered report into the run data, next to earlier reports.
 *
 * @returns Its new path; null if there is no report.
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
