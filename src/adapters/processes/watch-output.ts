import type { TellProgress, WorkProgress } from "../../ports/executor.ts";
import { followEvents } from "../presets/output/read-events.ts";
import type { Preset } from "../presets/preset.ts";
import { readTail } from "./read-tail.ts";

/** How much of an output is read for its last line: what surrounds a secret shows that it is one. */
const lookedBytes = 16 * 1024;

/**
 * Report the progress of a program while it works: from its events if its preset can read them, else its last line.
 *
 * @param stdout Descriptor of the file with its stdout.
 * @returns Reads new output; called whenever there may be some. Answers whether the program only waits.
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

/** Two reports of progress as one: the later act, and the latest count of tokens. */
function joinProgress(before: WorkProgress | null, now: WorkProgress | null): WorkProgress | null {
  if (now === null || before === null) return now ?? before;
  const isAct = now.tool !== undefined || now.line !== undefined;
  const tokens = now.tokens ?? before.tokens;
  return { ...(isAct ? now : before), ...(tokens !== undefined && { tokens }) };
}
