import type { ServerResponse } from "node:http";
import type { MoreFrames } from "../../../model/frame.ts";
import type { RunWatch, Sight } from "./follow-run.ts";
import type { Tail } from "./follow-tail.ts";

/** Frames that one event brings. */
const mostFrames = 1000;
/** How long a viewer may take for an event, and how often one that has nothing to see is shown that all is well. */
const [patienceMs, pulseMs] = [30_000, 15_000];

/** What a viewer has already. */
export interface Seen {
  /** Number of the run. */
  readonly run: number;
  /** How many frames of it. */
  readonly frames: number;
  /** The rows it was given with these; null where that is not known any more. */
  readonly rows: Sight["film"]["rows"] | null;
}

/**
 * Show a viewer a run as server-sent events. What it has not been shown is told from the run as it stands, never from a
 * queue: one that reads slowly skips what has been overtaken, and costs the memory of one event.
 *
 * @returns Ends it; the viewer is told when nothing more will come.
 */
export function streamTo(response: ServerResponse, run: RunWatch, seen: Seen): () => void {
  let sight: Sight | null = run.look();
  const { frames: film } = sight.film;
  let { frames, rows } = seen;
  let standing = "";
  let tail: Tail | null = null;
  let isFull = false;
  let timer: NodeJS.Timeout | undefined;
  const write = (event: string, data: unknown): void => {
    isFull = !response.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
    if (!isFull) return;
    clearTimeout(timer);
    timer = setTimeout(() => response.destroy(), patienceMs);
  };
  const show = (): void => {
    while (!isFull && sight !== null && !response.destroyed) {
      const { tail: printed } = sight;
      const { run: number, frames: all, rows: tasksNow, standing: stands } = sight.film;
      // Another run, or another journal: the page asks for all again.
      if (number !== seen.run || all !== film || all.length < frames) return void response.destroy();
      const now = JSON.stringify(stands);
      if (all.length > frames || tasksNow !== rows) {
        const next = all.slice(frames, frames + mostFrames);
        const tasks = changedRows(tasksNow, rows);
        rows = tasksNow;
        if (next.length > 0 || tasks.length > 0) write("frames", { from: frames, frames: next, tasks });
        frames += next.length;
      } else if (now !== standing) {
        standing = now;
        write("standing", stands);
      } else if (printed !== null && printed.text !== tail?.text) {
        write("tail", moreOf(printed, tail));
        tail = printed;
      } else sight = null;
    }
  };
  response.on("drain", () => {
    clearTimeout(timer);
    isFull = false;
    show();
  });
  const stop = run.follow((now) => {
    sight = now;
    show();
  });
  const pulse = setInterval(() => {
    if (!isFull) isFull = !response.write(":\n\n");
  }, pulseMs);
  const end = (): void => {
    stop();
    clearInterval(pulse);
    clearTimeout(timer);
  };
  response.on("close", end);
  // So that the viewer knows that it is connected, even if there is nothing to see.
  response.write(":\n\n");
  show();
  return () => {
    // A run that ends with the page has just recorded its end.
    sight = lastLook(run);
    show();
    end();
    response.end("event: end\ndata: {}\n\n");
  };
}

/** Null where the run cannot be read any more: then what was shown stays. */
function lastLook(run: RunWatch): Sight | null {
  try {
    return run.look();
  } catch {
    return null;
  }
}

type Rows = Sight["film"]["rows"];

/** Rows that differ from those before, or all when none are known. */
function changedRows(rows: Rows, before: Rows | null): MoreFrames["tasks"] {
  if (rows === before) return [];
  const known = new Map(before?.map((row, at) => [row.id, [row, before[at - 1]?.id ?? null] as const]));
  return rows.flatMap((row, at) => {
    const after = rows[at - 1]?.id ?? null;
    const [old, stood] = known.get(row.id) ?? [];
    const isSame =
      old !== undefined && stood === after && old.title === row.title && old.from === row.from && old.done === row.done;
    return isSame ? [] : [{ ...row, after }];
  });
}

/** What a viewer lacks of an output: `keep` characters of what it has stand before it. */
function moreOf({ task, attempt, text }: Tail, before: Tail | null) {
  const isMore = before?.task === task && before.attempt === attempt && text.startsWith(before.text);
  const keep = isMore ? before.text.length : 0;
  return { task, attempt, keep, text: text.slice(keep) };
}
