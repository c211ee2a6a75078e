import { commandLine, type SpecAddress } from "../../../model/command-line.ts";
import { InputError } from "../../../model/errors.ts";
import { nearestName } from "../../../model/nearest-name.ts";
import { renderExplanation } from "../../../wording/render-explanation.ts";
import { findSpec } from "../../node/find-spec.ts";
import { readExplanation } from "../../node/reading/read-explanation.ts";
import { readStatus } from "../../node/reading/read-status.ts";
import { specAddress } from "../../node/spec-address.ts";
import type { CliCommand } from "../cli-command.ts";
import { readRunNumber, runNumberFlag } from "../options/shared-flags.ts";
import { renderJson } from "../render-json.ts";

/** Why a task is where it is: every decision about it with the counts it was made from. */
export const why: CliCommand = {
  options: [runNumberFlag, { flags: "--json", summary: "one JSON object" }],
  example: "fixpoint why 1.3 my-feature",
  async run(task = "", values, { terminal, folder }) {
    const { spec, json } = values;
    const run = readRunNumber(values);
    const found = findSpec(typeof spec === "string" ? spec : undefined, folder, `why ${task}`.trimEnd());
    const address = specAddress(found, { from: folder });
    const explanation = readExplanation(found.folder, task, { run, address });
    if (explanation === null) throw unknownTask(task, found.folder, address);
    terminal.out(json === true ? `${renderJson(explanation)}\n` : renderExplanation(explanation));
    return 0;
  },
};

function unknownTask(task: string, folder: string, address: SpecAddress): InputError {
  const nearest = nearestName(
    task,
    readStatus(folder, { address }).tasks.map(({ id }) => id),
    () => 1,
  );
  return new InputError(`Cannot find task \`${task}\`, expected one of the plan or of its last run`, {
    code: "task-not-found",
    hint: nearest === undefined ? `List the tasks: ${commandLine(address, "status")}` : `Did you mean ${nearest}?`,
  });
}
