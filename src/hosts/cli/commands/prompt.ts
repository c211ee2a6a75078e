import { fileStore } from "../../../adapters/documents/file-store.ts";
import { contextOf } from "../../../effects/context-of.ts";
import { findTask } from "../../../markdown/document/find-task.ts";
import { blockOf, openPlan } from "../../../markdown/document/plan-document.ts";
import { roleOf } from "../../../model/task.ts";
import { maxProgress, renderPrompt } from "../../../prompt/render-prompt.ts";
import { escapeLines } from "../../../wording/escape-text.ts";
import { command, json } from "../command.ts";

/** What the first delegation of a task would be told. Runs nothing, and writes nothing. */
export const prompt = command({
  options: { json },
  example: "fixpoint prompt 1.3 my-feature",
  async run({ words: [id = "", named], open, print }) {
    const { spec } = open(named, `prompt ${id}`);
    const documents = fileStore({ folder: spec.folder, dataFolder: spec.dataFolder });
    const document = openPlan((await documents.read()).text);
    const { task } = findTask(document, id);
    const text = renderPrompt({
      role: roleOf(task),
      task,
      block: blockOf(document, id),
      spec: { name: spec.name, folder: spec.folder },
      context: await contextOf(documents, document, id),
      progress: await documents.progress(null, maxProgress + 1),
      progressFile: null,
      earlier: [],
      requireExecutorTick: false,
    });
    print({ task: id, prompt: text }, () => escapeLines(text));
  },
});
