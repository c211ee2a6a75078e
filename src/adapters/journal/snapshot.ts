import { join } from "node:path";
import * as z from "zod";
import { type RunState, stateVersion } from "../../model/run-state.ts";
import { readRegular } from "../files/own-file.ts";
import { refused } from "../files/refused.ts";
import { draftPath, writeAtomic } from "../files/write-atomic.ts";
import { JournalEnd } from "../user/run-head.ts";
import { openLine, parseBody, sealLine } from "./journal-line.ts";

/**
 * The state that the records of a run come to up to a line of its journal: a start applies the records behind that only.
 * The journal stays the truth: a snapshot that does not fit it, or is of another version, counts for nothing.
 */
export interface Snapshot {
  /** Where the journal ended then. */
  readonly end: JournalEnd;
  /** How many records it had. */
  readonly records: number;
  readonly state: RunState;
}

const SnapshotFile = z.object({
  version: z.literal(stateVersion),
  end: JournalEnd,
  records: z.int().min(0),
  state: z.custom<RunState>((state) => typeof state === "object" && state !== null),
});

const fileName = "snapshot.json";

/**
 * Keep a snapshot in place of the one before.
 *
 * @param folder That of the run.
 * @param check Called right before that is replaced; throws when it must stay.
 */
export function writeSnapshot(folder: string, snapshot: Snapshot, check = () => {}): void {
  const path = join(folder, fileName);
  refused("write", path, () => {
    check();
    const line = sealLine({ version: stateVersion, ...snapshot });
    // One that a power cut tears is not opened.
    writeAtomic(path, line, { temporary: draftPath(folder, fileName), durable: false, check });
  });
}

/** The snapshot of a run; null without a whole one of this version. */
export function readSnapshot(folder: string): Snapshot | null {
  try {
    const line = readRegular(join(folder, fileName));
    const body = line === null ? undefined : openLine(line.subarray(0, -1));
    return body === undefined ? null : SnapshotFile.parse(parseBody(body.toString("utf8")));
  } catch {
    return null;
  }
}
