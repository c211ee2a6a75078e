import { FixpointError } from "../../../model/errors.ts";
import type { AttemptKey } from "../../../model/reply.ts";
import { escapeLines } from "../../../wording/escape-text.ts";
import type { Clip, PrintedByTask } from "../../page/page-data.ts";
import type { AttemptsAsked } from "../attempts/snapshots-of.ts";
import { comparing, diffAttempts } from "../attempts/snapshots-of.ts";

/** Maximum length of a diff on the live page, in characters. */
const mostOfDiff = 256 * 1024;
/** Maximum length of each diff of an exported page, and of all its diffs together, in characters. */
const [mostOfEach, mostOfAll] = [64 * 1024, 1024 * 1024];
/** Number of first tasks, and of last tasks, whose diffs an exported page contains. */
const mostTasks = 10;

export const readChanged = (asked: AttemptsAsked, key: AttemptKey): Promise<Clip> =>
  diffAttempts(asked, key).then((text) => clipStart(text, mostOfDiff), whyNot);

/** Add the diff of the last attempt to the outputs of tasks, as far as there is room. */
export async function withChanged(asked: AttemptsAsked, printed: PrintedByTask): Promise<PrintedByTask> {
  const all: Record<string, PrintedByTask[string]> = { ...printed };
  let room = mostOfAll;
  const add = async (diff: (key: AttemptKey) => Promise<string>): Promise<void> => {
    const tasks = Object.entries(printed);
    for (const [task, attempts] of tasks.filter((_, at) => at < mostTasks || at >= tasks.length - mostTasks)) {
      const last = attempts.at(-1);
      if (last === undefined) continue;
      const most = Math.min(room, mostOfEach);
      const changed = await diff(`${task}#${last.attempt}`).then((text) => clipStart(text, most), whyNot);
      room -= changed.text.length;
      all[task] = [...attempts.slice(0, -1), { ...last, changed }];
    }
  };
  // If the trees of the run cannot be read, the page only lacks the diffs.
  await comparing(asked, add).catch(whyNot);
  return all;
}

/** Cut a text at its end, and escape characters that a browser would display misleadingly. */
const clipStart = (text: string, most: number): Clip => ({
  text: escapeLines(text.slice(0, most)),
  left: Math.max(0, text.length - most),
});

function whyNot(error: unknown): Clip {
  if (!(error instanceof FixpointError)) throw error;
  return { text: error.message, left: 0 };
}
