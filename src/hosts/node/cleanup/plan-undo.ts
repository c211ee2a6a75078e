import { tasksOf } from "../../../markdown/document/find-task.ts";
import type { PlanDocument } from "../../../markdown/document/plan-document.ts";
import { closedIn, tickedIn } from "../../../markdown/tick-task.ts";
import { withoutChange, withoutFixTask, withoutNote } from "../../../markdown/undo/undo-inserts.ts";
import type { LoggedLines } from "../../../markdown/undo/undo-log.ts";
import type { TimedRunRecord } from "../../../model/record.ts";
import { attemptOf, taskOf } from "../../../model/reply.ts";
import { leftOutByPerson, type SummaryEntry } from "../../../model/stuck-report.ts";
import { type TaskId, wholeOf } from "../../../model/task.ts";

export interface PlanUndo {
  readonly after: PlanDocument;
  /** Tasks that lose their tick. */
  readonly cleared: readonly TaskId[];
  readonly removed: readonly TaskId[];
  /** Tasks that stay, since someone has changed them after the run wrote them. */
  readonly kept: readonly TaskId[];
}

export function undoPlan(document: PlanDocument, records: readonly TimedRunRecord[]): PlanUndo {
  const removed: TaskId[] = [];
  const kept: TaskId[] = [];
  const stands = (plan: PlanDocument, id: TaskId): boolean => tasksOf(plan, id).length === 1;
  let after = document;
  for (const record of [...records].reverse()) {
    if (record.type === "closed" && stands(after, record.fix)) after = withoutNote(after, record.fix, record.by);
  }
  const made = records.filter(
    (record) => record.type === "intended" || record.type === "planned" || record.type === "addition",
  );
  for (const record of made.reverse()) {
    const tasks = record.type === "intended" ? [record.fix.id] : record.plan.tasks.map(({ id }) => id);
    if (!tasks.every((id) => stands(after, id)) || removed.includes(tasks[0] ?? "")) continue;
    const without = record.type === "intended" ? withoutFixTask(after, record.fix) : withoutChange(after, record.plan);
    if (without === null) kept.push(...tasks);
    else removed.push(...tasks);
    after = without ?? after;
  }
  const cleared: TaskId[] = [];
  for (const id of ticksIn(records)) {
    if (!stands(after, id) || tasksOf(after, id)[0]?.task.done !== true) continue;
    after = tickedIn(after, id, false);
    cleared.push(id);
  }
  // A fix task that stays in the plan keeps its note about being superseded.
  const notes = records.flatMap((record) => (record.type === "closed" && kept.includes(record.fix) ? [record] : []));
  for (const { fix, by } of notes) after = tickedIn(closedIn(after, fix, by), fix, false);
  return { after, cleared, removed, kept };
}

/** List the lines that these records wrote into the progress log. @param titleOf Title of a task in the plan. */
export function loggedIn(records: readonly TimedRunRecord[], titleOf: (task: TaskId) => string): LoggedLines {
  const passed = records.flatMap(passesIn).map(({ task, commit }) => ({ task, title: titleOf(task), commit }));
  const suggestions = records.flatMap((record) => {
    if (record.type !== "answered" || record.review === undefined) return [];
    const text = [record.review.code, record.review.spec].filter((part) => part !== "").join("\n");
    return text === "" ? [] : [{ task: taskOf(attemptOf(record.key)), text }];
  });
  const tried = records.flatMap((record) => (record.type === "delegated" ? [record.task] : []));
  const reality = records.flatMap((record) =>
    "reality" in record && record.reality
      ? [{ command: record.reality.command, exitCode: record.reality.result.exitCode }]
      : [],
  );
  const ships = records.some((record) => record.type === "answered" && record.effect === "pushBranch");
  const numbers = records.flatMap((record) =>
    record.type === "answered" && record.answer.kind === "opened" ? [record.answer.number] : [],
  );
  const shipped = ships ? [null, ...new Set(numbers)] : [];
  return { passed, tried: [...new Set(tried)], suggestions, shipped, reality };
}

/** List the entries that a run with these records may have written into the summary. */
export function summarizedIn(records: readonly TimedRunRecord[]): readonly SummaryEntry[] {
  const answers = records.flatMap((record) => (record.type === "answered" ? [record] : []));
  const directed = answers.flatMap(({ effect, key, answer }) =>
    effect === "askOperator" && answer.kind === "directed"
      ? [{ task: taskOf(attemptOf(key)), directive: answer.directive }]
      : [],
  );
  const skipped = answers.flatMap(({ effect, key, answer }) => {
    if (effect !== "recordSkip") return [];
    return [taskOf(attemptOf(key)), ...(answer.skipped === undefined ? [] : [answer.skipped.root])];
  });
  const tried = (task: TaskId): number =>
    directed.filter(({ directive, ...other }) => other.task === task && directive.strategy === "retry").length;
  const entriesOf = ({ task, directive }: (typeof directed)[number]): readonly SummaryEntry[] => {
    switch (directive.strategy) {
      case "retry":
        return [
          { kind: "retried", task, adjustment: directive.adjustment },
          ...upTo(tried(task)).flatMap((attempts) =>
            ([null, "pivot", "research", "race"] as const).map(
              (level) => ({ kind: "exhausted", task, attempts, level }) as const,
            ),
          ),
        ];
      case "decompose":
        return [0, ...upTo(directive.parts.length)].map((leftOut) => {
          return { kind: "decomposed", task, parts: directive.parts.length, leftOut };
        });
      case "prune": {
        // Skipping a fix task skips its whole tree.
        const { justification } = directive;
        return [...new Set([task, ...skipped])].map((left) => {
          return { kind: "skipped", task: left, justification, by: "operator" };
        });
      }
      case "escalate":
        return [];
    }
  };
  return [
    ...skipped.map((task) => {
      return { kind: "skipped", task, justification: leftOutByPerson, by: "person" } as const;
    }),
    ...directed.flatMap(entriesOf),
  ];
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

function ticksIn(records: readonly TimedRunRecord[]): ReadonlySet<TaskId> {
  const ticked = new Set<TaskId>();
  for (const record of records) {
    if (record.type === "closed") ticked.add(record.fix);
    if (record.type === "reached") for (const task of record.tasks) ticked.add(task);
    if (record.type === "planned" && record.plan.tick === true) ticked.add(record.plan.task);
    for (const { task } of passesIn(record)) ticked.add(task);
  }
  return ticked;
}

function passesIn(record: TimedRunRecord): { readonly task: TaskId; readonly commit: string | null }[] {
  if (record.type === "mended") return record.passes.map(({ key }) => ({ task: taskOf(key), commit: null }));
  if (record.type !== "answered" && record.type !== "passed") return [];
  const task = taskOf(record.key);
  if (record.type === "passed") return [{ task, commit: record.commit }];
  if (record.effect !== "recordPass" || wholeOf(task) !== null) return [];
  const { open, commit = null } = record.answer;
  return open === true ? [] : [{ task, commit }];
}
