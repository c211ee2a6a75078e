import type { RunEvent } from "../model/event.ts";
import type { Frame, TaskMark } from "../model/frame.ts";
import type { TimedRunRecord } from "../model/record.ts";
import { taskOf } from "../model/reply.ts";
import { worksOnTasks } from "../model/role.ts";

type Marks = Frame["marks"];

/** What tasks have become by a record, and by what it has led to. */
export function markTasks(record: TimedRunRecord, events: readonly RunEvent[]): Marks {
  return [...marksOf(record), ...events.flatMap(marksFrom)];
}

function marksOf(record: TimedRunRecord): Marks {
  switch (record.type) {
    case "delegated":
      return worksOnTasks(record.role) ? marked("running", record.task) : [];
    case "passed":
    case "refunded":
      return marked(record.type === "passed" ? "passed" : "open", taskOf(record.key));
    case "reached":
      return marked("passed", ...record.tasks);
    case "mended":
      return marked("passed", ...record.passes.map(({ key }) => taskOf(key)));
    case "skipped":
      return marked(record.justification === null ? "open" : "skipped", record.task);
    case "reset":
      return marked("open", record.task);
    case "closed":
      return marked("superseded", record.fix);
    case "addition":
    case "advised":
    case "answered":
    case "boxes":
    case "continued":
    case "dropped":
    case "ended":
    case "flushed":
    case "guided":
    case "intended":
    case "judged":
    case "left":
    case "planned":
    case "released":
    case "said":
    case "shipping":
    case "unheard":
    case "withdrawn":
      return [];
  }
}

function marksFrom(event: RunEvent): Marks {
  switch (event.type) {
    case "task.failed":
    case "task.rejected":
      return marked("failed", event.task);
    case "task.passed":
      return marked("passed", event.task);
    case "task.skipped":
      return marked("skipped", event.task);
    case "person.asked":
      return marked("asking", event.task);
    case "waiting":
      return marked("waiting", event.task);
    case "fix.inserted":
      return [
        ...marked("superseded", ...(event.supersedes === null ? [] : [event.supersedes])),
        ...marked("open", event.fix),
      ];
    case "plan.changed":
      return marked("open", ...event.added);
    case "pr.task":
      return marked("open", event.task);
    case "change.refused":
    case "check.flaky":
    case "check.rerun":
    case "check.started":
    case "executor.chosen":
    case "group.ended":
    case "group.started":
    case "level.changed":
    case "notice":
    case "pr.merged":
    case "pr.opened":
    case "pr.pushed":
    case "pr.ready":
    case "pr.waiting":
    case "repair.chosen":
    case "repair.refused":
    case "review.answered":
    case "review.ended":
    case "run.ended":
    case "run.paused":
    case "run.resumed":
    case "run.started":
    case "task.decided":
    case "task.delegated":
    case "task.progress":
      return [];
  }
}

const marked = (mark: TaskMark, ...tasks: string[]): Marks => tasks.map((task) => ({ task, mark }));
