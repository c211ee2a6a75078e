import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { renderPage } from "../../src/hosts/page/render-page.ts";
import { readPlan } from "../../src/markdown/read-plan.ts";
import type { Frame, Recording, TaskRow, TaskStories } from "../../src/model/frame.ts";
import { packFrames } from "../../src/runtime/pack-frames.ts";
import type { RecordedStart } from "../../src/runtime/recorded-run.ts";
import { taskRows } from "../../src/runtime/task-rows.ts";
import { tellStories } from "../../src/runtime/tell-stories.ts";
import { filmRun } from "../../src/runtime/to-frames.ts";
import { temporaryFolder } from "./folder.ts";

export interface Shown {
  readonly frames: readonly Frame[];
  readonly tasks: readonly TaskRow[];
  readonly stories?: TaskStories;
}

/** The page of a run, as a document. */
export function pageText({ frames, tasks, stories = {} }: Shown): string {
  const recording: Recording = {
    version: 1,
    ...{ spec: "sample", run: 1 },
    limits: [{ limit: "maxGlobalIterations", max: 100 }],
    standing: { running: false, paused: false, question: null },
    tasks: [...tasks],
    frames: packFrames(frames),
    left: [],
  };
  return renderPage({ recording: packed(recording), stories: packed(stories) });
}

/** The address of a file with that page. */
export function pageFile(shown: Shown): string {
  const path = join(temporaryFolder(), "run.html");
  writeFileSync(path, pageText(shown));
  return pathToFileURL(path).href;
}

/** What is shown of starts of a run. @param tasks Text of the plan. */
export function shownOf(starts: readonly RecordedStart[], tasks: string): Shown {
  const { frames, places } = filmRun(starts);
  const records = starts.flatMap((start) => start.records);
  const stories = [...tellStories(starts, places)].map(([task, told]) => [task, { told, printed: [], left: null }]);
  return {
    frames,
    tasks: taskRows(readPlan(tasks), records, frames),
    stories: Object.fromEntries(stories) as TaskStories,
  };
}

const packed = (data: unknown): string => gzipSync(JSON.stringify(data)).toString("base64");
