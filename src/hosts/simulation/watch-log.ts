import type { World } from "./world.ts";

/**
 * I17: the coordinator adds to the progress log, and takes nothing away. Only the line of a task that a limit had stopped
 * becomes another one when it is done.
 */
export function watchLog(world: World, before: string, after: string): void {
  if (!isWithin(before, after))
    world.violate("I17", `the progress log lost something: ${JSON.stringify({ before, after })}`);
}

/** Whether all lines stand in another text, in their order. */
function isWithin(before: string, after: string): boolean {
  if (after.startsWith(before)) return true;
  const left = after.split("\n");
  let at = 0;
  return before
    .trimEnd()
    .split("\n")
    .every((line) => {
      while (at < left.length && left[at] !== line && !isDoneSince(line, left[at] as string)) at++;
      return at++ < left.length;
    });
}

const stopped = " - Final: FAIL (max limit)";
const done = [" - Final: PASS", " - Final: done by hand"];

/** Whether a line tells that a task was stopped by a limit, and another that the same one is done. */
function isDoneSince(line: string, other: string): boolean {
  const task = line.slice(0, line.indexOf(": ") + 1);
  return line.endsWith(stopped) && other.startsWith(task) && done.some((end) => other.endsWith(end));
}
