import { commandLine, type SpecAddress } from "../../../model/command-line.ts";
import { InputError } from "../../../model/errors.ts";
import { nearestName } from "../../../model/text.ts";
import { renderExplanation } from "../../../wording/render-explanation.ts";
import { readExplanation } from "../../node/reading/read-explanation.ts";
import { readStatus } from "../../node/reading/read-status.ts";
import { command, json, queue, runNumber, withNamed } from "../command.ts";

export const why = command({
  options: { run: runNumber, queue, json },
  example: "fixpoint why 1.3 my-feature",
  async run({ words: [task = "", named], given: { run, queue: from }, open, print, surroundings: { folder } }) {
    const place = { queue: from, named, folder };
    await withNamed(
      place,
      () => open(named, `why ${task}`.trimEnd()),
      ({ spec, address }) => {
        const explanation = readExplanation(spec.folder, task, { run, address });
        if (explanation === null) throw unknownTask(task, spec.folder, address);
        print(explanation, () => renderExplanation(explanation));
      },
    );
  },
});

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
