import { fileStore } from "../../../adapters/documents/file-store.ts";
import { contextOf } from "../../../effects/context-of.ts";
import { blockOf, findTask } from "../../../markdown/document/find-task.ts";
import { openPlan } from "../../../markdown/document/plan-document.ts";
import { roleOf, type TaskId } from "../../../model/task.ts";
import { maxProgress, renderPrompt } from "../../../prompt/render-prompt.ts";
import type { SpecFolder } from "../find-spec.ts";

/**
 * Build the prompt of the first attempt at a task. Runs and writes nothing.
 *
 * @throws {InputError} `task-not-found`, `ambiguous-task`
 */
export async function readPrompt({ name, folder, dataFolder }: SpecFolder, id: TaskId): Promise<string> {
  const documents = fileStore({ folder, dataFolder });
  const document = openPlan((await documents.read()).text);
  const { task } = findTask(document, id);
  return renderPrompt({
    role: roleOf(task),
    task,
    block: blockOf(document, id),
    spec: { name, folder },
    context: await contextOf(documents, document, id),
    progress: await documents.progress(null, maxProgress + 1),
    progressFile: null,
    earlier: [],
    requireExecutorTick: false,
  });
}
