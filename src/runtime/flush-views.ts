import type { RunMemory } from "../effects/run-memory.ts";
import type { Documents } from "../ports/documents.ts";

/** Brings to the disk what passes have written into the documents, and records that. */
export interface ViewFlush {
  /** Begin, unless it is under way already. Nothing of it is waited for: a power cut before is made good. */
  begin(): void;
  /** All that was written so far. Rejects where the disk refuses it. */
  end(): Promise<void>;
}

/** The journal says what has passed; boxes and the lines of the log are views of it, which may get to the disk later. */
export function flushViews({ flush }: Pick<Documents, "flush">, memory: RunMemory): ViewFlush {
  let underway: Promise<void> | null = null;
  const once = async (): Promise<void> => {
    const tasks = Object.keys(memory.state.unflushed);
    if (flush === undefined || tasks.length === 0) return;
    await flush();
    memory.record([{ type: "flushed", tasks }], { hold: true });
  };
  return {
    begin: () => {
      underway ??= once()
        .catch(() => {})
        .finally(() => {
          underway = null;
        });
    },
    end: async () => {
      await underway;
      await once();
    },
  };
}
