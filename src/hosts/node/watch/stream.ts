import type { ServerResponse } from "node:http";
import type { MoreFrames } from "../../../model/frame.ts";
import type { RunWatch, Sight } from "./follow-run.ts";

/** Frames that one event brings, and that a viewer is given again who comes: what was made since it asked for all. */
const [mostFrames, overlap] = [1000, 200];
/** How long a viewer may take for an event, and how often one that has nothing to see is shown that all is well. */
const [patienceMs, pulseMs] = [30_000, 15_000];

/**
 * Show a viewer a run as server-sent events. What it has not been shown is told from the run as it stands, never from a
 * queue: one that reads slowly skips what has been overtaken, and costs the memory of one event.
 *
 * @returns Ends it; the viewer is told when nothing more will come.
 */
export function streamTo(response: ServerResponse, run: RunWatch): () => void {
  let sight: Sight | null = run.look();
  const { run: number } = sight.film.recording;
  let frames = Math.max(0, sight.frames.length - overlap);
  const shown = { standing: "", tail: "", rows: new Map<string, string>() };
  let isFull = false;
  let timer: NodeJS.Timeout | undefined;
  const write = (event: string, data: string): void => {
    isFull = !response.write(`event: ${event}\ndata: ${data}\n\n`);
    if (!isFull) return;
    clearTimeout(timer);
    timer = setTimeout(() => response.destroy(), patienceMs);
  };
  const show = (): void => {
    while (!isFull && sight !== null && !response.destroyed) {
      const { film, tail } = sight;
      // The page asks for all again.
      if (film.recording.run !== number || sight.frames.length < frames) return void response.destroy();
      const more = moreIn(sight, frames, shown.rows);
      const standing = JSON.stringify(film.recording.standing);
      const printed = JSON.stringify(tail);
      if (more !== null) {
        frames = more.from + more.frames.length;
        write("frames", JSON.stringify(more));
      } else if (standing !== shown.standing) {
        shown.standing = standing;
        write("standing", standing);
      } else if (tail !== null && printed !== shown.tail) {
        shown.tail = printed;
        write("tail", printed);
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
  show();
  return () => {
    end();
    response.end("event: end\ndata: {}\n\n");
  };
}

/** Frames from one on, and rows that are new or changed; null without any. */
function moreIn({ film, frames }: Sight, from: number, rows: Map<string, string>): MoreFrames | null {
  const { tasks } = film.recording;
  const changed = tasks.flatMap((row, at) => {
    const told = { ...row, after: tasks[at - 1]?.id ?? null };
    const text = JSON.stringify(told);
    if (rows.get(row.id) === text) return [];
    rows.set(row.id, text);
    return [told];
  });
  const next = frames.slice(from, from + mostFrames);
  return next.length === 0 && changed.length === 0 ? null : { from, frames: next, tasks: changed };
}
