import { FixpointError } from "../../../model/errors.ts";
import type { AttemptKey } from "../../../model/reply.ts";
import { escapeLines } from "../../../wording/escape-text.ts";
import type { Clip, PrintedByTask } from "../../page/page-data.ts";
import { comparing, diffAttempts } from "../attempts/diff-attempts.ts";
import type { AttemptsAsked } from "../attempts/snapshots-of.ts";

/** Characters of a diff that are told, and of those of a page that stands alone. */
const mostOfDiff = 256 * 1024;
const [mostOfEach, mostOfAll] = [64 * 1024, 1024 * 1024];
/** Tasks of which such a page tells what they changed: so many that need a look first, and so many of the last. */
const mostTasks = 10;

/** What an attempt changed, or why that is not known. */
export const readChanged = (asked: AttemptsAsked, key: AttemptKey): Promise<Clip> =>
  diffAttempts(asked, key).then((text) => clipStart(text, mostOfDiff), whyNot);

/** The same with what the last attempts at some tasks changed, as far as there is room. */
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
  // Without the trees of the run the page has all but that.
  await comparing(asked, add).catch(whyNot);
  return all;
}

/** The beginning of a text, with nothing in it that a browser would show as something else. */
const clipStart = (text: string, most: number): Clip => ({
  text: escapeLines(text.slice(0, most)),
  left: Math.max(0, text.length - most),
});

function whyNot(error: unknown): Clip {
  if (!(error instanceof FixpointError)) throw error;
  return { text: error.message, left: 0 };
}
