import { applyEdit, openPlan, type PlanDocument, reopenPlan } from "../markdown/document/plan-document.ts";
import { fixEdit } from "../markdown/insert-fix-task.ts";
import { appendCompleted, appendFixHistory } from "../markdown/progress/append-progress.ts";
import { tickEdit } from "../markdown/tick-task.ts";
import type { Documents } from "../ports.ts";

/** Documents in memory, and their texts to look at or to change as an executor would. */
export interface MemoryStore extends Documents {
  read(): Promise<PlanDocument>;
  readonly tasks: { text: string };
  readonly log: { text: string };
}

/**
 * A store for tests and for embedders without files.
 *
 * @param tasks Text of a `tasks.md`.
 * @param progress Text of a `.progress.md`.
 */
export function memoryStore(tasks: string, progress = ""): MemoryStore {
  let plan = openPlan(tasks);
  let log = progress;
  return {
    tasks: {
      get text() {
        return plan.text;
      },
      set text(text) {
        plan = reopenPlan(plan, text);
      },
    },
    log: {
      get text() {
        return log;
      },
      set text(text) {
        log = text;
      },
    },
    read: async () => plan,
    insert: async (fix) => {
      const before = plan;
      plan = fixEdit(before, fix).after;
      return { before, after: plan };
    },
    tick: async (task, done) => {
      const before = plan;
      const edit = tickEdit(before, task, done);
      if (edit !== null) plan = applyEdit(before, edit);
      return { before, after: plan };
    },
    progress: async () => log,
    append: async (entry) => {
      log = entry.kind === "completed" ? appendCompleted(log, entry) : appendFixHistory(log, entry);
    },
  };
}
