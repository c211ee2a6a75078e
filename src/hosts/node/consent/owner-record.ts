import { existsSync, realpathSync } from "node:fs";
import type * as z from "zod";
import { readOrigin } from "../../../adapters/git/read-origin.ts";
import type { Journal } from "../../../adapters/journal/journal.ts";
import { type JournalReading, segmentPath } from "../../../adapters/journal/read-journal.ts";
import { hasPart } from "../../../adapters/journal/segment-bytes.ts";
import { type Inbox, openInbox } from "../../../adapters/user/inbox.ts";
import {
  type Remembered,
  readConsent,
  readRemembered,
  writeConsent,
  writeRemembered,
} from "../../../adapters/user/remembered-file.ts";
import { beginHead, type OpenHead, type RunHead, readHead, removeHeads } from "../../../adapters/user/run-head.ts";
import { userFolder } from "../../../adapters/user/user-folder.ts";
import { type AgreedPlace, type Agreement, canonicalAgreement, doubtAbout } from "../../../model/agreement.ts";
import type { Ledger } from "../../../model/ledger.ts";
import type { RunState } from "../../../model/run-state.ts";
import { lastTold } from "../../../runtime/recorded-run.ts";
import type { SpecFolder } from "../find-spec.ts";

/**
 * Facts that fixpoint remembers about a spec for this user. Neither the repository nor run data can change these facts.
 */
export interface OwnerRecord {
  readonly place: string;
  /** Null if there is no agreement, or if the agreement belongs to another repository or folder. */
  readonly agreement: Agreement | null;
  /** One line about an agreement that is not valid; null if there is none. */
  readonly doubt: string | null;
  /** Whether a program other than fixpoint has changed the agreement. */
  readonly isAltered: boolean;
  /** Head of the latest run; null if there is none, or if it belongs to another repository or folder. */
  readonly head: RunHead | null;
  agree(agreement: Agreement): void;
  /** Record that this user begins a run, or continues a run after a question: the run then belongs to this user. */
  begin(run: number): void;
}

/** Read the record of a spec. @throws {EnvironmentError} `user-folder-unusable`, `file-refused` */
export async function ownerRecord({ folder }: SpecFolder, workspace: string): Promise<OwnerRecord> {
  const place = userFolder(folder, workspace);
  const found = readConsent(place);
  const { counts, here, doubt, isOther } = await judge(found, folder, workspace, "Your earlier consent");
  let written = found.kind === "read" ? textOf(found.place, found.value.agreement) : null;
  if (found.kind === "read" && found.isAltered) written = null;
  return {
    place,
    agreement: found.kind === "read" && counts ? found.value.agreement : null,
    doubt,
    isAltered: found.kind === "read" && found.isAltered,
    head: isOther ? null : readHead(place),
    agree: (agreement) => {
      const text = textOf(here, agreement);
      if (text === written) return;
      if (isOther) removeHeads(place);
      writeConsent(place, here, agreement);
      written = text;
    },
    begin: (run) => beginHead(place, run),
  };
}

const textOf = (place: AgreedPlace, agreement: Agreement): string =>
  JSON.stringify([place, canonicalAgreement(agreement)]);

interface Judged {
  readonly here: AgreedPlace;
  readonly counts: boolean;
  /** The reason why the file is not used, in one line; null if it is used, or there is no file. */
  readonly doubt: string | null;
  /** Whether another repository or folder was at this path. */
  readonly isOther: boolean;
}

async function judge(found: Remembered<unknown>, spec: string, workspace: string, what: string): Promise<Judged> {
  const places = { spec: realpathSync(spec), workspace: realpathSync(workspace) };
  const before = found.kind === "read" ? found.place.origin : null;
  const here = { ...places, origin: await readOrigin(places.workspace, places.spec, before) };
  if (found.kind === "unreadable") return { here, counts: false, doubt: `${what} ${found.reason}`, isOther: false };
  const doubt = found.kind === "read" ? doubtAbout(found.place, here) : null;
  return {
    here,
    counts: found.kind === "read" && doubt === null,
    doubt: doubt?.reason ?? null,
    isOther: doubt?.isOther ?? false,
  };
}

/** Inbox of this user for the run of a spec. @throws {EnvironmentError} `user-folder-unusable` */
export const wordsFor = ({ folder }: SpecFolder): Inbox => openInbox(userFolder(folder, folder));

export interface ExecutorRecord<Typed> {
  /** Null if no options are stored, or if they belong to another repository or folder. */
  readonly typed: Typed | null;
  /** One line about typed options that are not used; null if there are none. */
  readonly doubt: string | null;
  readonly isAltered: boolean;
  /** Remember typed options. @throws {EnvironmentError} `file-refused` */
  write(typed: object): void;
}

/**
 * Read the executor options that this user typed earlier; null if there are none, and no options are typed now.
 *
 * @param schema Schema of the typed options.
 * @param isTyped Whether options are typed now.
 * @throws {EnvironmentError} `user-folder-unusable`
 */
export async function executorRecord<Typed>(
  { folder }: SpecFolder,
  workspace: string,
  schema: z.ZodType<Typed>,
  isTyped: boolean,
): Promise<ExecutorRecord<Typed> | null> {
  const place = userFolder(folder, workspace);
  const found = readRemembered(place, name, schema);
  if (found.kind === "absent" && !isTyped) return null;
  const { counts, here, doubt } = await judge(found, folder, workspace, "Its record");
  const isRead = found.kind === "read";
  const written = isRead && !found.isAltered ? JSON.stringify([found.place, found.value]) : null;
  return {
    typed: isRead && counts ? found.value : null,
    doubt,
    isAltered: isRead && found.isAltered,
    write: (typed) => {
      if (JSON.stringify([here, typed]) !== written) writeRemembered(place, name, here, typed);
    },
  };
}

const name = "executors";

/**
 * Owner and state of run data. `foreign`: begun by someone else. `unverified`: perhaps begun by this user. `lost`:
 * records of an unfinished run are missing. `over`: records of a complete run are missing, but are not needed.
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

/** Whether a journal contains everything up to the remembered head of its run. */
function isHeld({ base, segments }: JournalReading, { run, end }: RunHead): boolean {
  if (end === null) return true;
  // A journal that could not be read has no segments.
  if (segments.length < end.segment) return false;
  const path = segmentPath(base, run, end.segment);
  return existsSync(path) && hasPart(path, end);
}

/** Wrap a journal so that each durable append updates the head. */
export const noteHead = (
  journal: Journal,
  head: OpenHead,
  now: () => { readonly ledger: Ledger; readonly state: Pick<RunState, "outside"> },
): Journal => ({
  ...journal,
  append: (records, options) => {
    journal.append(records, options);
    const { ledger, state } = now();
    if (options.durable) head.note(journal.end(), records, { ...ledger, outside: state.outside });
  },
});
