import { closeSync, constants, existsSync, linkSync, openSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import { EnvironmentError } from "../../model/errors.ts";
import { sharedFileSystem } from "../files/file-system-of.ts";
import { openRegular } from "../files/own-file.ts";
import { draftPath, draftsOf, syncFolder } from "../files/write-atomic.ts";
import { sealLine } from "./journal-line.ts";
import { readSegment, type SegmentHeader } from "./journal-segment.ts";
import { bytesOfSegment } from "./segment-bytes.ts";

/**
 * Begin a segment. Of several who try only one can: the complete file appears under its name at once. Where files
 * cannot be linked its name comes first; until it is written, the draft beside it says whose it is.
 *
 * @returns A descriptor to append with; null when another has it.
 * @throws {EnvironmentError} `file-system-unsuited`
 */
export function claimSegment(path: string, header: SegmentHeader): number | null {
  // The run may have ended by now: nobody might ever put away the draft of one that is killed here.
  if (existsSync(path)) return null;
  const draft = draftPath(dirname(path), basename(path));
  const line = sealLine(header);
  writeFileSync(draft, line, { flush: true });
  try {
    try {
      linkSync(draft, path);
    } catch (error) {
      if (isUnlinkable(error)) return createSegment(path, line);
      if (isTaken(error)) return null;
      throw error;
    }
    return openRegular(path, constants.O_WRONLY | constants.O_APPEND);
  } finally {
    rmSync(draft, { force: true });
  }
}

/** One who may have created a segment that is not written yet. */
export interface Claimant {
  /** Where it has said so. */
  readonly draft: string;
  readonly header: SegmentHeader;
}

/**
 * Put away the drafts of those that were killed while they tried to begin a segment that another has begun. For one of
 * them that is alive this changes nothing: its segment is taken with its draft and without.
 */
export function dropRivals(path: string): void {
  for (const draft of draftsOf(dirname(path), basename(path))) rmSync(draft, { force: true });
}

/** Who may have created a segment and not written it yet; none for one that is written. */
export function claimantsOf(path: string): readonly Claimant[] {
  const drafts = draftsOf(dirname(path), basename(path)).sort();
  if (drafts.length === 0 || isWritten(path)) return [];
  return drafts.flatMap((draft) => {
    try {
      return [{ draft, header: readSegment(draft).header }];
    } catch {
      // Being written, or gone: such a one has not created anything.
      return [];
    }
  });
}

/** Whether a segment has its first line. */
const isWritten = (path: string): boolean => bytesOfSegment(path).header.at(-1) === 0x0a;

function createSegment(path: string, line: string): number | null {
  checkFileSystem(dirname(path));
  // Else a power cut could leave the segment, and not who has created it.
  syncFolder(dirname(path));
  let file: number;
  try {
    file = openSync(path, "ax");
  } catch (error) {
    if (isTaken(error)) return null;
    throw error;
  }
  try {
    writeFileSync(file, line, { flush: true });
    return file;
  } catch (error) {
    closeSync(file);
    rmSync(path, { force: true });
    throw error;
  }
}

const isOneOf = (error: unknown, codes: readonly string[]): boolean =>
  codes.includes((error as NodeJS.ErrnoException).code ?? "");

/** The winner has put its segment there, and our draft away. */
const isTaken = (error: unknown): boolean => isOneOf(error, ["EEXIST", "ENOENT"]);

/** What file systems answer on which no file has two names. */
const isUnlinkable = (error: unknown): boolean =>
  isOneOf(error, ["EPERM", "EOPNOTSUPP", "ENOTSUP", "ENOSYS", "EMLINK"]);

function checkFileSystem(folder: string): void {
  const found = sharedFileSystem(folder);
  if (found === undefined || found.createsAlone) return;
  throw new EnvironmentError(
    `Cannot claim the run in \`${folder}\`, its file system (${found.name}) links no files, and may let several create one`,
    {
      code: "file-system-unsuited",
      hint: "Put the spec on another file system: on that one nothing keeps two coordinators from working at once",
    },
  );
}
