import type { TaskId } from "../../model/task.ts";
import type { IdIndex } from "./id-index.ts";
import type { Page } from "./page.ts";
import { phaseBehind } from "./phase-behind.ts";

/** The parts of a document, and what of it must be known to place the tasks of one part. */
export interface Layout {
  readonly pages: readonly Page[];
  /** Ids of the tasks that have none written, in order. */
  readonly names: readonly TaskId[];
  /** Deeper headings begin no phase; null when all do. */
  readonly phaseLevel: number | null;
  /** Made when it is asked for. */
  readonly ids: IdIndex;
}

/** Where a page begins in a document. */
export interface PageStart {
  readonly offset: number;
  /** Counted from 1. */
  readonly line: number;
  /** Of the heading above that begins a phase. */
  readonly phase: string | null;
  /** Tasks before it. */
  readonly index: number;
  /** Tasks without a written id before it. */
  readonly unnamed: number;
}

/** Where each page begins. */
export function startsOfPages({ pages, phaseLevel }: Layout): PageStart[] {
  const starts: PageStart[] = [];
  let [offset, line, index, unnamed] = [0, 1, 0, 0];
  let phase: string | null = null;
  for (const page of pages) {
    starts.push({ offset, line, phase, index, unnamed });
    offset += page.length;
    line += page.lines;
    index += page.tasks;
    unnamed += page.unnamed;
    phase = phaseBehind(page.headings, phaseLevel, phase);
  }
  return starts;
}

/** Where one page begins: asked for at every edit, so that none is made of the starts before it. */
export function startOfPage({ pages, phaseLevel }: Layout, number: number): PageStart {
  let [offset, line, index, unnamed] = [0, 1, 0, 0];
  for (let at = 0; at < number; at += 1) {
    const page = pages[at] as Page;
    offset += page.length;
    line += page.lines;
    index += page.tasks;
    unnamed += page.unnamed;
  }
  let phase: string | null = null;
  for (let at = number - 1; at >= 0 && phase === null; at -= 1) {
    phase = phaseBehind((pages[at] as Page).headings, phaseLevel, null);
  }
  return { offset, line, phase, index, unnamed };
}
