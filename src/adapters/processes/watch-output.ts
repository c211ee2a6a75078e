import type { TellProgress, WorkProgress } from "../../ports/executor.ts";
import { followEvents } from "../presets/output/read-events.ts";
import type { Preset } from "../presets/preset.ts";
import { readTail } from "./read-tail.ts";

/** How much of the end of an output is looked at for its last line: secrets in it are known by what is around them. */
const lookedBytes = 16 * 1024;

/**
 * Tells what a program shows of its work while it is at it: from its events where its preset can read them, else the
 * last line that it has printed.
 *
 * @param stdout Descriptor of the file that it prints into.
 * @returns
 *   Looks at what is new; called whenever there may be more. Answers whether the program only waits.
 */
export function watchOutput(stdout: number, preset: Preset | undefined, tell: TellProgress): () => boolean {
  if (preset?.openReader === undefined) {
    return () => {
      tell({ line: readTail(stdout, lookedBytes) });
      return false;
    };
  }
  const watch = preset.openWatch?.();
  let isWaiting = false;
  let seen: WorkProgress | null = null;
  const readOn = followEvents(stdout, (event) => {
    isWaiting = preset.waits?.(event) ?? false;
    seen = joinProgress(seen, watch?.(event) ?? null);
  });
  return () => {
    readOn();
    if (seen !== null) tell(seen);
    seen = null;
    return isWaiting;
  };
}

/** What two sightings show together: the later act, and the latest count of tokens. */
function joinProgress(before: WorkProgress | null, now: WorkProgress | null): WorkProgress | null {
  if (now === null || before === null) return now ?? before;
  const isAct = now.tool !== undefined || now.line !== undefined;
  const tokens = now.tokens ?? before.tokens;
  return { ...(isAct ? now : before), ...(tokens !== undefined && { tokens }) };
}
