import { plainLine } from "../markdown/text/plain-line.ts";
import type { TaskProgress } from "../model/event.ts";
import type { TellProgress } from "../ports/executor.ts";
import type { WholePorts } from "./with-memory.ts";

const mostPerSecond = 4;
const secondMs = 1000;
/** Maximum length of a reported line, in characters. */
const longestLine = 200;
/** Maximum length of a reported tool name, in characters. */
const longestTool = 60;

export interface ProgressMeter {
  readonly tell: TellProgress;
  readonly end: () => void;
}

/**
 * Open a progress meter for a stage of an attempt. Input may come at any rate. At most four events a second are sent,
 * each with the latest input.
 */
export function openProgress(
  { clock, onProgress }: Pick<WholePorts, "clock" | "onProgress">,
  about: Pick<TaskProgress, "task" | "key" | "stage">,
): ProgressMeter {
  if (onProgress === undefined) return { tell: () => {}, end: () => {} };
  const startedAt = clock.now();
  let isOver = false;
  let wait: AbortController | undefined;
  const told: number[] = [];
  let shown: Pick<TaskProgress, "tool" | "line" | "tokens"> = { tool: null, line: null, tokens: null };
  let isDue = false;
  const show = (): void => {
    isDue = false;
    const now = clock.now();
    told.push(now);
    if (told.length > mostPerSecond) told.shift();
    const seconds = Math.max(0, Math.floor((now - startedAt) / secondMs));
    onProgress({ type: "task.progress", ...about, ...shown, seconds });
  };
  const showLater = (time: number): void => {
    isDue = true;
    wait = new AbortController();
    void clock.sleepUntil(time, wait.signal).then(
      () => {
        if (!isOver) show();
      },
      () => {},
    );
  };
  return {
    tell: ({ tool, line, tokens }) => {
      if (isOver) return;
      const now = {
        ...(tool === undefined && line === undefined
          ? shown
          : { tool: lineOf(tool, longestTool), line: lineOf(line, longestLine) }),
        tokens: isCount(tokens) ? tokens : shown.tokens,
      };
      if (now.tool === shown.tool && now.line === shown.line && now.tokens === shown.tokens) return;
      shown = now;
      if (isDue) return;
      const [first] = told;
      const free = told.length < mostPerSecond || first === undefined ? clock.now() : first + secondMs;
      if (free <= clock.now()) show();
      else showLater(free);
    },
    end: () => {
      isOver = true;
      wait?.abort();
    },
  };
}

/** Report progress while a command checks an attempt. */
export async function whileVerifying<Result>(
  ports: Pick<WholePorts, "clock" | "onProgress">,
  { task, key, command }: Pick<TaskProgress, "task" | "key"> & { readonly command: string },
  run: () => Promise<Result>,
): Promise<Result> {
  const { tell, end } = openProgress(ports, { task, key, stage: "verify" });
  tell({ line: command });
  return run().finally(end);
}

/** The last non-empty line; null if all lines are empty, or if the value is not a string. */
function lineOf(text: unknown, max: number): string | null {
  if (typeof text !== "string") return null;
  const lines = text.split(/[\r\n]/);
  for (let at = lines.length - 1; at >= 0; at--) {
    const line = plainLine(lines[at] ?? "", max);
    if (line !== "") return line;
  }
  return null;
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
