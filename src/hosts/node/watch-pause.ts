import { pauseFile } from "../../adapters/pause-file.ts";
import type { RunControl } from "../../runtime/run-control.ts";

/** How often the wish for a pause is looked for. */
const lookMs = 250;

/**
 * Tell a run when somebody outside wants it to pause or to go on.
 *
 * @returns Ends the watch.
 */
export function watchPause(dataFolder: string, control: RunControl): () => void {
  const file = pauseFile(dataFolder);
  let was = false;
  const look = (): void => {
    const is = isWished(file);
    if (is === was) return;
    was = is;
    control.send({ type: is ? "pause" : "resume" });
  };
  // It also keeps a program alive whose run is paused, and waits for nothing else.
  const timer = setInterval(look, lookMs);
  return () => clearInterval(timer);
}

/** A folder that cannot be looked into fails the run where it is written to. */
function isWished(file: ReturnType<typeof pauseFile>): boolean {
  try {
    return file.isPaused();
  } catch {
    return false;
  }
}
