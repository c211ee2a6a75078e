import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import type { PrintedByTask, WholeRun } from "../../src/hosts/page/page-data.ts";
import { renderPage } from "../../src/hosts/page/render-page.ts";
import { ShownRun } from "../../src/hosts/page/shown-run.ts";
import { readPlan } from "../../src/markdown/document/plan-document.ts";
import { addressOf } from "../../src/model/command-line.ts";
import { noSeed } from "../../src/model/run-seed.ts";
import type { RecordedStart } from "../../src/runtime/recorded-run.ts";
import { temporaryFolder } from "./folder.ts";

export interface Shown {
  readonly run: WholeRun;
  readonly printed?: PrintedByTask;
}

export const pageText = ({ run, printed = {} }: Shown): string =>
  renderPage({ run: packed(run), printed: packed(printed) });

export function pageFile(shown: Shown): string {
  const path = join(temporaryFolder(), "run.html");
  writeFileSync(path, pageText(shown));
  return pathToFileURL(path).href;
}

export function shownOf(starts: readonly RecordedStart[], plan: string): Shown {
  const { tasks } = readPlan(plan);
  const head = { spec: "sample", run: 1, address: addressOf("sample"), open: tasks.length, seed: noSeed, tasks };
  return { run: { head, starts, atWork: { held: false, alive: false }, left: [] } };
}

export function lookedAt({ run }: Shown): ShownRun {
  const shown = new ShownRun(run.head);
  for (const start of run.starts) {
    shown.start(start);
    shown.add(start.records);
  }
  shown.atWork = run.atWork;
  return shown;
}

const packed = (data: unknown): string => gzipSync(JSON.stringify(data)).toString("base64");
