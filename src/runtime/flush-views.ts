import type { RunMemory } from "../effects/run-memory.ts";
import type { Documents } from "../ports/documents.ts";

/** Flushes what passes wrote into the documents, and records that. */
export interface ViewFlush {
  /** Begin a flush, unless one is running. No one waits for it: the next start restores lost writes. */
  begin(): void;
  /** Flush everything written so far. Rejects if the disk refuses. */
  end(): Promise<void>;
}

/** The journal records passes. Boxes and log lines are only views of it, so they may be flushed later. */
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
