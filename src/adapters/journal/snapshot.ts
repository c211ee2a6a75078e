import { join } from "node:path";
import { crc32 } from "node:zlib";
import * as z from "zod";
import { interpreted } from "../../model/parse-json.ts";
import { type RunState, stateVersion } from "../../model/run-state.ts";
import type { TakeState } from "../../ports/journal.ts";
import { readRegular } from "../files/own-file.ts";
import { refused } from "../files/refused.ts";
import { draftPath, writeAtomic } from "../files/write-atomic.ts";
import { JournalEnd } from "../user/run-head.ts";
import { openLine, parseBody, sealLine } from "./journal-segment.ts";

/**
 * The state after the records up to a line of a run's journal: a start applies only later records. A snapshot of
 * another version, or one that does not match the journal, is ignored.
 */
export interface Snapshot extends SnapshotHead {
  readonly state: TakeState;
}

const SnapshotHead = z.object({
  end: JournalEnd,
  /** Number of records before `end`. */
  records: z.int().min(0),
  /** Bytes of the states in all snapshots of the run so far. */
  written: z.int().min(0),
});
type SnapshotHead = z.infer<typeof SnapshotHead>;

/** The file has two lines, the header and the state, so that a long state is parsed only if needed. */
const FirstLine = SnapshotHead.extend({ version: z.literal(stateVersion), stateCrc: z.int() });

const fileName = "snapshot.json";

/**
 * Replace the previous snapshot of a run.
 *
 * @param folder Folder of the run.
 * @param state As JSON.
 * @param check Called right before the replacement; throws to keep the old snapshot.
 */
export function writeSnapshot(folder: string, head: SnapshotHead, state: string, check = () => {}): void {
  const path = join(folder, fileName);
  refused("write", path, () => {
    check();
    const text = `${sealLine({ version: stateVersion, ...head, stateCrc: crc32(state) })}${state}\n`;
    // Skip the flush, because a snapshot that a power cut damages is ignored.
    writeAtomic(path, text, { temporary: draftPath(folder, fileName), durable: false, check });
  });
}

/** Return null if there is no valid snapshot of this version. */
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
