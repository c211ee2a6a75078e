import type { ServerResponse } from "node:http";
import type { MoreOutput, PageRun, PlanChanged, PlannedTask } from "../../page/page-data.ts";
import { plannedTask, withoutOutput } from "../reading/page-run.ts";
import { type RunWatch, type Sight, sameTail, type Tail } from "./follow-run.ts";

const mostRecords = 1000;
/** `patienceMs`: maximum time for a viewer to take an event; `pulseMs`: time between two keep-alive comments. */
const [patienceMs, pulseMs] = [30_000, 15_000];

interface Told {
  readonly segments: Sight["segments"];
  plan: Sight["plan"];
  starts: number;
  /** Number of records of the last start. */
  records: number;
  work: string;
  tail: Tail | null;
}

/**
 * Stream a run to a viewer as server-sent events. Each event is derived from the current run, never from a queue, so a
 * slow viewer costs the memory of one event.
 *
 * @param headOf Returns the data of the first event, before the records.
 * @returns A function that sends the end to the viewer and ends the stream.
 */
export function streamTo(response: ServerResponse, run: RunWatch, headOf: (sight: Sight) => PageRun): () => void {
  let sight: Sight | null = run.look();
  let told: Told | null = null;
  let isFull = false;
  let timer: NodeJS.Timeout | undefined;
  const write = (event: string, data: unknown): void => {
    isFull = !response.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
    if (!isFull) return;
    clearTimeout(timer);
    timer = setTimeout(() => response.destroy(), patienceMs);
  };
  /** Send the next event. Returns false if the viewer is up to date. */
  const tell = (now: Sight): boolean => {
    const { segments, plan, tail } = now;
    if (told?.segments !== segments) {
      told = { segments, plan, starts: 0, records: 0, work: "", tail: null };
      write("run", headOf(now));
      return true;
    }
    const records = segments[told.starts - 1]?.records ?? [];
    const next = segments[told.starts];
    const work = JSON.stringify(now.atWork);
    if (records.length > told.records) {
      const more = records.slice(told.records, told.records + mostRecords);
      told.records += more.length;
      write("records", more.map(withoutOutput));
    } else if (next !== undefined) {
      told.starts += 1;
      told.records = 0;
      write("start", { at: next.header.at, policy: next.header.policy });
    } else if (plan !== told.plan) {
      const changed = planChanged(told.plan.tasks, plan.tasks);
      told.plan = plan;
      if (changed !== null) write("plan", changed);
    } else if (work !== told.work) {
      told.work = work;
      write("work", now.atWork);
    } else if (tail !== null && !sameTail(tail, told.tail)) {
      write("tail", moreOf(tail, told.tail));
      told.tail = tail;
    } else return false;
    return true;
  };
  const show = (): void => {
    while (!isFull && sight !== null && !response.destroyed) if (!tell(sight)) sight = null;
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
  // Send a comment, so that the viewer knows that it is connected.
  response.write(":\n\n");
  show();
  return () => {
    // Send the last records: a run that ends together with the page has just recorded its end.
    sight = lastLook(run);
    show();
    end();
    response.end("event: end\ndata: {}\n\n");
  };
}

/** Read the run a last time; null if it can no longer be read. The viewer then keeps the last state. */
function lastLook(run: RunWatch): Sight | null {
  try {
    return run.look();
  } catch {
    return null;
  }
}

function planChanged(before: readonly PlannedTask[], now: readonly PlannedTask[]): PlanChanged | null {
  const isSame = (one: PlannedTask | undefined, other: PlannedTask | undefined): boolean =>
    one === other ||
    (one !== undefined &&
      other !== undefined &&
      JSON.stringify(plannedTask(one)) === JSON.stringify(plannedTask(other)));
  const least = Math.min(before.length, now.length);
  let at = 0;
  while (at < least && isSame(before[at], now[at])) at += 1;
  let behind = 0;
  while (behind < least - at && isSame(before.at(-1 - behind), now.at(-1 - behind))) behind += 1;
  const drop = before.length - at - behind;
  const tasks = now.slice(at, now.length - behind).map(plannedTask);
  return drop === 0 && tasks.length === 0 ? null : { at, drop, tasks };
}

/** New part of an output: the viewer keeps `keep` characters and appends `text`. */
function moreOf({ task, attempt, text, acts }: Tail, before: Tail | null): MoreOutput {
  const isMore = before?.task === task && before.attempt === attempt && text.startsWith(before.text);
  const keep = isMore ? before.text.length : 0;
  return { task, attempt, acts, keep, text: text.slice(keep) };
}
