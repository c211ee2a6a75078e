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
 * The documents of a spec as files in its folder. An artifact is a regular file of its own; only its first MiB counts.
 *
 * @param dataFolder Folder on the same file system, where a new document is written before it replaces the old one.
 * @param workspace Folder that the path of a report starts from and stays in; the spec's own when not given.
 * @param files Writes them while this process holds the spec; without a check when not given.
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

/** Make the progress log of a spec when there is none. */
export function makeProgress(path: string, name: string): void {
  const text = newProgress(name);
  refused("write", path, () => {
    if (existsSync(path)) fill(path, text);
    else writeFileSync(path, text, { flag: "wx" });
  });
}

/**
 * Write the beginning of a log that a killed start has made and left empty. Later writes replace the file, so a start
 * that was suspended here changes nothing in its successor's log.
 */
const fill = (path: string, text: string): void =>
  withOwn(path, "edit", (file) => {
    if (fstatSync(file).size === 0) writeSync(file, text);
  });

/** The summary of a spec as a file in its folder: a regular file of its own, or a link to one inside the folder. */
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

/** Where reports go. */
interface ReportPlace {
  /** The spec's. */
  readonly folder: string;
  readonly workspace: string;
  /** From the workspace; null: `stuck-report.md` in the spec's folder. */
  readonly path: string | null;
}

/**
 * The report of a checkpoint as a file: `stuck-report.md` in the spec's folder, or a file in the workspace. An existing
 * file must be a report, in a regular file of its own or behind a link to one inside the same folder.
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
