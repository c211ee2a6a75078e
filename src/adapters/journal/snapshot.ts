import { join } from "node:path";
import { crc32 } from "node:zlib";
import * as z from "zod";
import { interpreted } from "../../model/interpreted.ts";
import { type RunState, stateVersion } from "../../model/run-state.ts";
import type { TakeState } from "../../ports/journal.ts";
import { readRegular } from "../files/own-file.ts";
import { refused } from "../files/refused.ts";
import { draftPath, writeAtomic } from "../files/write-atomic.ts";
import { JournalEnd } from "../user/run-head.ts";
import { openLine, parseBody, sealLine } from "./journal-segment.ts";

/**
 * The state that the records of a run come to up to a line of its journal: a start applies the records behind that only.
 * The journal stays the truth: a snapshot that does not fit it, or is of another version, counts for nothing.
 */
export interface Snapshot extends SnapshotHead {
  readonly state: TakeState;
}

const SnapshotHead = z.object({
  /** Where the journal ended then. */
  end: JournalEnd,
  /** How many records it had. */
  records: z.int().min(0),
  /** Bytes of the states of all snapshots of the run so far. */
  written: z.int().min(0),
});
type SnapshotHead = z.infer<typeof SnapshotHead>;

/** The two lines of the file: about the snapshot, and the state by itself, since a long one is read only when needed. */
const FirstLine = SnapshotHead.extend({ version: z.literal(stateVersion), stateCrc: z.int() });

const fileName = "snapshot.json";

/**
 * Keep a snapshot in place of the one before.
 *
 * @param folder That of the run.
 * @param state As JSON.
 * @param check Called right before that is replaced; throws when it must stay.
 */
export function writeSnapshot(folder: string, head: SnapshotHead, state: string, check = () => {}): void {
  const path = join(folder, fileName);
  refused("write", path, () => {
    check();
    const text = `${sealLine({ version: stateVersion, ...head, stateCrc: crc32(state) })}${state}\n`;
    // One that a power cut tears is not opened.
    writeAtomic(path, text, { temporary: draftPath(folder, fileName), durable: false, check });
  });
}

/** The snapshot of a run; null without a whole one of this version. */
export function readSnapshot(folder: string): Snapshot | null {
  try {
    const file = readRegular(join(folder, fileName)) ?? Buffer.alloc(0);
    const cut = file.indexOf("\n");
    const head = openLine(file.subarray(0, cut));
    if (head === undefined) return null;
    const { stateCrc, end, records, written } = FirstLine.parse(parseBody(head.toString("utf8")), interpreted);
    const state = file.subarray(cut + 1, -1);
    if (crc32(state) !== stateCrc) return null;
    return { end, records, written, state: () => JSON.parse(state.toString("utf8")) as RunState };
  } catch {
    return null;
  }
}
