import type { RunMemory } from "../effects/run-memory.ts";
import type { Documents } from "../ports/documents.ts";

/** Flushes what passes have written into the documents, and records that. */
export interface ViewFlush {
  /** Begin a flush, unless one is under way. Nobody waits for it: the next start restores what a power cut takes back. */
  begin(): void;
  /** Flush all that was written so far. Rejects where the disk refuses it. */
  end(): Promise<void>;
}

/** The journal says what has passed. Boxes and lines of the log are views of it, so they may be flushed later. */
export function flushViews({ flush }: Pick<Documents, "flush">, memory: RunMemory): ViewFlush {
  let underway: Promise<void> | null = null;
  const flushOnce = async (): Promise<void> => {
    const tasks = Object.keys(memory.state.unflushed);
    if (flush === undefined || tasks.length === 0) return;
    await flush();
    memory.record([{ type: "flushed", tasks }], { hold: true });
  };
  return {
    begin: () => {
      underway ??= flushOnce()
        .catch(() => {})
        .finally(() => {
          underway = null;
        });
    },
    end: async () => {
      await underway;
      await flushOnce();
    },
  };
}
