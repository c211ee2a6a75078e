import type { TellProgress, WorkProgress } from "../../ports/executor.ts";
import { followEvents } from "../presets/output/follow-events.ts";
import type { Preset, ReaderOptions, StreamReader } from "../presets/preset.ts";
import { readTail } from "./open-output.ts";

/** Reads the stdout of a program while it grows, for its progress and its reply. */
export interface FollowedOutput {
  /** Report progress and read more. Returns whether the program only waits, judged by the stdout read so far. */
  look(hasPrinted: boolean): boolean;
  /** Number of bytes from the start of stdout that need not be kept; infinite if only the end of the file is needed. */
  readBytes(): number;
  /** Read the rest after the program ended. `isStream` is true if stdout contained events. */
  finish(): Promise<{ readonly reader?: StreamReader; readonly isStream: boolean }>;
  /** Stop reading. Afterwards, the file may be closed. */
  stop(): Promise<void>;
}

/** Bytes to read from the end of stdout for the last line. The text before the line helps to recognize a secret. */
const lookedBytes = 16 * 1024;

/**
 * Follow the stdout of a program: its events if its preset can read them, else its last line.
 *
 * @param stdout Descriptor of the file.
 * @param signal Stops reading.
 */
export function followOutput(
  stdout: number,
  preset: Preset | undefined,
  options: ReaderOptions,
  tell: TellProgress,
  signal: AbortSignal,
): FollowedOutput {
  const reader = preset?.openReader?.(options);
  if (preset === undefined || reader === undefined) {
    return {
      look: (hasPrinted) => {
        if (hasPrinted) tell({ line: readTail(stdout, lookedBytes) });
        return false;
      },
      readBytes: () => Infinity,
      finish: async () => ({ isStream: false }),
      stop: async () => {},
    };
  }
  const watch = preset.openWatch?.();
  let isStopped = false;
  let isWaiting = false;
  let seen: WorkProgress | null = null;
  let reading: Promise<void> | null = null;
  const events = followEvents(stdout, (event) => {
    reader.see(event);
    isWaiting = preset.waits?.(event) ?? false;
    seen = joinProgress(seen, watch?.(event) ?? null);
  });
  const readOn = (): Promise<void> => events.readOn(() => isStopped || signal.aborted);
  return {
    look: (hasPrinted) => {
      if (seen !== null) tell(seen);
      seen = null;
      // Ignore an error: an unreadable file fails again at the end.
      if (hasPrinted)
        reading ??= readOn()
          .catch(() => {})
          .finally(() => (reading = null));
      return isWaiting && reading === null;
    },
    readBytes: events.position,
    finish: async () => {
      await reading;
      await readOn();
      return { reader, isStream: events.end() };
    },
    stop: async () => {
      isStopped = true;
      await reading;
    },
  };
}

function joinProgress(before: WorkProgress | null, now: WorkProgress | null): WorkProgress | null {
  if (now === null || before === null) return now ?? before;
  const isAct = now.tool !== undefined || now.line !== undefined;
  const tokens = now.tokens ?? before.tokens;
  return { ...(isAct ? now : before), ...(tokens !== undefined && { tokens }) };
}
