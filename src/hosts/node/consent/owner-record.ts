import { existsSync } from "node:fs";
import type { Journal } from "../../../adapters/journal/journal.ts";
import { type JournalReading, segmentPath } from "../../../adapters/journal/read-journal.ts";
import { hasPart } from "../../../adapters/journal/segment-bytes.ts";
import { readConsent, writeConsent } from "../../../adapters/user/consent-file.ts";
import { readRemembered, writeRemembered } from "../../../adapters/user/remembered-file.ts";
import { beginHead, type OpenHead, type RunHead, readHead } from "../../../adapters/user/run-head.ts";
import { userFolder } from "../../../adapters/user/user-folder.ts";
import { type WordBox, wordBox } from "../../../adapters/user/word-box.ts";
import type { Agreement } from "../../../model/agreement.ts";
import type { Ledger } from "../../../model/ledger.ts";
import { lastTold } from "../../../runtime/last-told.ts";
import type { SpecFolder } from "../find-spec.ts";

/** What fixpoint remembers about a spec for this user, in a place that no repository and no run data can write to. */
export interface OwnerRecord {
  /** The folder of these records. */
  readonly place: string;
  readonly agreement: Agreement | null;
  readonly head: RunHead | null;
  agree(agreement: Agreement): void;
  /** Record that a run belongs to this user: the user begins it, or goes on with it after a question. */
  begin(run: number): void;
}

/** @throws {EnvironmentError} `user-folder-unusable`, `file-refused` */
export function ownerRecord({ folder }: SpecFolder, workspace: string): OwnerRecord {
  const place = userFolder(folder, workspace);
  return {
    place,
    agreement: readConsent(place),
    head: readHead(place),
    agree: (agreement) => writeConsent(place, folder, agreement),
    begin: (run) => beginHead(place, run),
  };
}

/** The words that this user has left for the run of a spec. @throws {EnvironmentError} `user-folder-unusable` */
export const wordsFor = ({ folder }: SpecFolder): WordBox => wordBox(userFolder(folder, folder));

/** What this user has typed before about who does the tasks of a spec, as it was written. */
export interface ExecutorRecord {
  /** Undefined when there is nothing that can be read. */
  read(): unknown;
  /** @throws {EnvironmentError} `file-refused` */
  write(typed: object): void;
}

/** @throws {EnvironmentError} `user-folder-unusable` */
export function executorRecord({ folder }: SpecFolder, workspace: string): ExecutorRecord {
  const place = userFolder(folder, workspace);
  return { read: () => readRemembered(place), write: (typed) => writeRemembered(place, typed) };
}

/**
 * Whose run data these are, and whether they are whole. This user did not begin `foreign` ones here, but may have begun
 * `unverified` ones. `lost` ones lack what was recorded here. `over` ones belong to a run that was complete, so they no
 * longer matter.
 */
export type RunDataState = "own" | "foreign" | "unverified" | "lost" | "over";

export function judgeRunData(reading: JournalReading, { agreement, head }: OwnerRecord): RunDataState {
  const { run, segments, records } = reading;
  const last = lastTold(records);
  const isComplete = last?.type === "ended" && last.ending.outcome === "complete";
  if (segments.length === 0 && head === null) return "own";
  if (head === null) return isComplete ? "own" : agreement === null ? "foreign" : "unverified";
  if (run > head.run) return isComplete ? "own" : "foreign";
  if (isHeld(reading, head)) return "own";
  return head.complete ? "over" : "lost";
}

/** Whether a journal holds everything up to its head. */
function isHeld({ base, segments }: JournalReading, { run, end }: RunHead): boolean {
  if (end === null) return true;
  // A journal that cannot be read has no segments here, whatever its last line is.
  if (segments.length < end.segment) return false;
  const path = segmentPath(base, run, end.segment);
  return existsSync(path) && hasPart(path, end);
}

/** A journal that notes its head with each durable line. */
export const noteHead = (journal: Journal, head: OpenHead, ledger: () => Ledger): Journal => ({
  ...journal,
  append: (records, options) => {
    journal.append(records, options);
    if (options.durable) head.note(journal.end(), records, ledger());
  },
});
