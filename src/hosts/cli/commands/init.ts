import { readFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import * as z from "zod";
import { readGsd } from "../../../markdown/read-gsd.ts";
import { writePlan } from "../../../markdown/write-plan.ts";
import { commandLine } from "../../../model/command-line.ts";
import { InputError } from "../../../model/errors.ts";
import { countOf } from "../../../model/text.ts";
import { escapeText } from "../../../wording/escape-text.ts";
import { findSpec, specAddress } from "../../node/find-spec.ts";
import { writeNew } from "../../node/write-new.ts";
import { command, json } from "../command.ts";
import { flag } from "../options/read-flag.ts";

/** Characters of a plan that are read. */
const most = 10_000_000;

/** Write a `tasks.md` that refers to the tasks of a plan of another form. That plan is never edited. */
export const init = command({
  options: {
    from: flag(z.array(z.string()), "--from <plan>", "plan of GSD whose tasks are elements, such as 01-02-PLAN.md", {
      repeats: true,
    }),
    json,
  },
  example: "fixpoint init --from .planning/phases/01-foundation/01-02-PLAN.md",
  run({ words: [given], given: { from: sources = [] }, surroundings: { folder }, print }) {
    const [first] = sources;
    if (first === undefined) {
      throw new InputError("Cannot write a plan, expected `--from` with the plan that it is made of", {
        code: "source-missing",
        hint: "Name it: fixpoint init --from PLAN.md",
      });
    }
    const place = resolve(folder, given ?? dirname(first));
    const path = join(place, "tasks.md");
    const phases = sources.map((source) => readSource(resolve(folder, source), place));
    const numbered = phases.map(({ title, tasks }, at) => ({
      title,
      tasks: phases.length === 1 ? tasks : tasks.map((task) => ({ ...task, id: `${at + 1}.${task.id}` })),
    }));
    const text = writePlan(`Tasks: ${basename(place)}`, numbered);
    writeNew(path, text);
    const tasks = numbered.flatMap((phase) => phase.tasks);
    const spec = findSpec(place, folder, "run");
    const run = commandLine(specAddress(spec, { from: folder }), "run");
    print(
      { file: path, tasks: tasks.map(({ id, title, fields }) => ({ id, title, verify: fields.verify ?? null })) },
      () => {
        const checked = tasks.filter(({ fields }) => fields.verify !== undefined).length;
        return [
          `Wrote ${escapeText(relative(folder, path))}: ${countOf(tasks.length, "task", "tasks")}, ${checked} with a Verify`,
          `Read it, then: ${run}`,
          "",
        ].join("\n");
      },
    );
    return 0;
  },
});

function readSource(path: string, place: string) {
  const text = readText(path);
  const name = relative(place, path).replaceAll("\\", "/");
  const { objective, tasks } = readGsd(text, name);
  if (tasks.length === 0) {
    throw new InputError(`Cannot make tasks of \`${name}\`, expected a \`<task>\` in it`, {
      code: "source-empty",
      hint: "Plans with boxes need no `init`: fixpoint lint says how they are read",
    });
  }
  return { title: `${name}${objective === null ? "" : `: ${objective}`}`, tasks };
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8").slice(0, most);
  } catch (cause) {
    throw new InputError(`Cannot read \`${path}\`, expected a file that may be read`, {
      code: "source-unreadable",
      hint: "Correct what stands behind --from",
      cause,
    });
  }
}
