import { readHistoryLine } from "../../src/markdown/progress/append-fix-history.ts";
import type { World } from "./world.ts";

export function watchLog(world: World, before: string, after: string): void {
  if (!isWithin(before, after))
    world.violate("I17", `the progress log lost something: ${JSON.stringify({ before, after })}`);
}

function isWithin(before: string, after: string): boolean {
  if (after.startsWith(before)) return true;
  const left = after.split("\n");
  let at = 0;
  return before
    .trimEnd()
    .split("\n")
    .every((line) => {
      while (at < left.length && left[at] !== line && !isRenewed(line, left[at] as string)) at++;
      return at++ < left.length;
    });
}

function isRenewed(line: string, other: string): boolean {
  const [before, after] = [line, other].map((text) => readHistoryLine(text.replace(/^[-*+] /, "")));
  return before != null && before.task === after?.task;
}
