import { openPlan, type PlanDocument, reopenPlan } from "../markdown/document/plan-document.ts";
import { fixEdit } from "../markdown/insert-fix-task.ts";
import { applyChange } from "../markdown/insert-tasks.ts";
import { appendEntry } from "../markdown/progress/append-entry.ts";
import { mergeProgress } from "../markdown/progress/merge-progress.ts";
import { appendSummary } from "../markdown/summary/append-summary.ts";
import { closedIn, tickedIn } from "../markdown/tick-task.ts";
import { checkArtifactName } from "../model/file-names.ts";
import type { TaskId } from "../model/task.ts";
import type { Documents } from "../ports/documents.ts";
import { isGuarded, reportOutside } from "../wording/report/report-text.ts";

/** Documents in memory. Tests may read their texts, and change them as an executor would. */
export interface MemoryStore extends Documents {
  read(): Promise<PlanDocument>;
  /** Read the current plan synchronously. */
  standing(): PlanDocument;
  readonly tasks: { text: string };
  readonly log: { text: string };
  /** Logs of batch members. */
  readonly memberLogs: Map<TaskId, string>;
  readonly summary: { text: string };
  /** Checkpoint reports, by the path shown to people. */
  readonly reports: Map<string, string>;
}

/**
 * Create a store for tests, and for embedders without files.
 *
 * @param tasks Text of a `tasks.md`.
 * @param progress Text of a `.progress.md`.
 * @param artifacts Texts of other spec files, by name.
 */
export function memoryStore(
  tasks: string,
  progress = "",
  artifacts: Readonly<Record<string, string>> = {},
): MemoryStore {
  let plan = openPlan(tasks);
  let log = progress;
  const memberLogs = new Map<TaskId, string>();
  const summary = { text: "" };
  return {
    ...memoryReports(),
    summary,
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
    memberLogs,
    read: async () => plan,
    standing: () => plan,
    insert: async (fix) => {
      const before = plan;
      plan = fixEdit(before, fix).after;
      return { before, after: plan };
    },
    tick: async (task, done) => {
      const before = plan;
      plan = tickedIn(before, task, done);
      return { before, after: plan };
    },
    close: async (task, by) => {
      const before = plan;
      plan = closedIn(before, task, by);
      return { before, after: plan };
    },
    change: async (change) => {
      const before = plan;
      plan = applyChange(before, change);
      return { before, after: plan };
    },
    rewrite: async (make) => {
      const before = plan;
      plan = reopenPlan(before, make(before));
      return { before, after: plan };
    },
    artifact: async (name) => {
      checkArtifactName(name);
      return Object.hasOwn(artifacts, name) ? (artifacts[name] ?? null) : null;
    },
    progress: async (member) => (typeof member === "string" ? (memberLogs.get(member) ?? "") : log),
    merge: async (members, done) => {
      log = members.reduce((merged, member) => mergeProgress(merged, memberLogs.get(member) ?? "", done), log);
      for (const member of members) memberLogs.delete(member);
    },
    append: async (entry) => {
      log = appendEntry(log, entry);
    },
    summarize: async (entry) => {
      summary.text = appendSummary(summary.text, entry);
    },
  };
}

/** Create an in-memory store of reports. Paths are relative to the folder of the spec, which is also the workspace. */
function memoryReports(): Pick<Documents, "report"> & { readonly reports: Map<string, string> } {
  const reports = new Map<string, string>();
  return {
    reports,
    report: async (text, path) => {
      const told = path === null ? "stuck-report.md" : confined(path);
      reports.set(told, text);
      return told;
    },
  };
}

function confined(path: string): string {
  const way: string[] = [];
  for (const part of path.split("/")) {
    if (part === ".." && way.pop() === undefined) throw reportOutside(path);
    if (part !== "" && part !== "." && part !== "..") way.push(part);
  }
  const told = way.join("/");
  if (told === "" || path.startsWith("/") || path.includes("\0") || isGuarded(told)) throw reportOutside(path);
  return told;
}
