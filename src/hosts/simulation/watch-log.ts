import type { World } from "./world.ts";

/** I17: the coordinator adds to the progress log, and takes nothing away. */
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
      while (at < left.length && left[at] !== line) at++;
      return at++ < left.length;
    });
}
