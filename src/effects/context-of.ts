import { aroundTask, goalOf } from "../markdown/document/around-task.ts";
import type { PlanDocument } from "../markdown/document/plan-document.ts";
import { plannedTask, type TaskId } from "../model/task.ts";
import type { PlanContext, SpecDocument } from "../ports/delegation-parts.ts";
import type { Documents } from "../ports/documents.ts";

const names = ["requirements.md", "spec.md", "design.md", "plan.md", "proposal.md", "research.md", "data-model.md"];

export async function contextOf(
  documents: Pick<Documents, "artifact">,
  document: PlanDocument,
  id: TaskId,
): Promise<PlanContext> {
  const { tasks } = document.plan;
  const find = (named: TaskId | null) => tasks.find((task) => task.id === named);
  const task = find(plannedTask(id));
  const phase = task?.phase ?? null;
  const groups: string[] = [];
  // Ids are free text: a task may share the id of its own parent.
  for (let above = find(task?.parent ?? null); above !== undefined && groups.length < 8; ) {
    groups.unshift(`${above.id} ${above.title}`);
    above = above.parent === above.id ? undefined : find(above.parent);
  }
  const around = task === undefined ? {} : aroundTask(document, task);
  return { phase, goal: goalOf(document, phase), ...around, groups, documents: await besideIn(documents) };
}

/** Reads the documents on each call: people and agents change them during a run. */
async function besideIn(documents: Pick<Documents, "artifact">): Promise<SpecDocument[]> {
  const read = await Promise.all(names.map(async (name) => ({ name, text: await documents.artifact(name) })));
  return read.filter((one): one is SpecDocument => one.text !== null);
}
