import { InputError } from "../../../model/errors.ts";
import { nearestName } from "../../../model/nearest-name.ts";
import { findSpec } from "../../node/find-spec.ts";
import { readExplanation } from "../../node/read-explanation.ts";
import { readStatus } from "../../node/read-status.ts";
import type { CliCommand } from "../cli-command.ts";
import { renderExplanation } from "../render-explanation.ts";
import { renderJson } from "../render-json.ts";

/** Why a task is where it is: every decision about it with the counts it was made from. */
export const why: CliCommand = {
  options: [{ flags: "--json", summary: "one JSON object" }],
  example: "fixpoint why 1.3 my-feature",
  async run(task = "", { spec, json }, { terminal, folder }) {
    const found = findSpec(typeof spec === "string" ? spec : undefined, folder);
    const explanation = readExplanation(found.folder, task);
    if (explanation === null) throw unknownTask(task, found.folder);
    terminal.out(json === true ? `${renderJson(explanation)}\n` : renderExplanation(explanation));
    return 0;
  },
};

function unknownTask(task: string, folder: string): InputError {
  const nearest = nearestName(
    task,
    readStatus(folder).tasks.map(({ id }) => id),
  );
  return new InputError(`Cannot find task \`${task}\`, expected one of the plan or of its last run`, {
    code: "task-not-found",
    hint: nearest === undefined ? "List the tasks with `fixpoint status`." : `Did you mean ${nearest}?`,
  });
}
