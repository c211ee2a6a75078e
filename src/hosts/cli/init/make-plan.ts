import { readFileSync } from "node:fs";
import { basename, dirname, relative } from "node:path";
import { readPlan } from "../../../markdown/document/plan-document.ts";
import { writePlan } from "../../../markdown/insert/render-task.ts";
import { readGsd } from "../../../markdown/read-gsd.ts";
import { InputError } from "../../../model/errors.ts";
import { specFor } from "../../node/setup/find-plans.ts";

/** Maximum length of a plan, in characters. */
const most = 10_000_000;

/** A `tasks.md` that can be written. */
export interface MadePlan {
  /** Folder of the spec, absolute. */
  readonly folder: string;
  readonly text: string;
  readonly tasks: readonly { readonly id: string; readonly title: string; readonly verify: string | null }[];
}

/**
 * Make a `tasks.md` from plans with other file names: either references to the tasks of GSD plans, or a copy of one
 * plan with boxes.
 *
 * @param sources Absolute.
 * @param given Folder of the spec, absolute. Default: beside the plans of GSD, or a new folder below `specs`.
 * @throws {InputError} `source-unreadable`, `source-empty`
 */
export function makePlan(sources: readonly string[], workspace: string, given?: string): MadePlan {
  const texts = sources.map((path) => ({ path, text: readText(path) }));
  const [first = { path: "", text: "" }, ...others] = texts;
  const copied = others.length === 0 ? readPlan(first.text) : null;
  if (copied !== null && copied.dialect !== "gsd" && copied.tasks.length > 0) {
    const folder = given ?? specFor(first.path, workspace);
    return { folder, text: first.text, tasks: copied.tasks.map(shown) };
  }
  const folder = given ?? dirname(first.path);
  const phases = texts.map(({ path, text }) => readSource(path, text, folder));
  const numbered = phases.map(({ title, tasks }, at) => ({
    title,
    tasks: phases.length === 1 ? tasks : tasks.map((task) => ({ ...task, id: `${at + 1}.${task.id}` })),
  }));
  const tasks = numbered.flatMap((phase) => phase.tasks).map(shown);
  return { folder, text: writePlan(`Tasks: ${basename(folder)}`, numbered), tasks };
}

interface SourceTask {
  readonly id: string;
  readonly title: string;
  readonly fields: { readonly verify?: string | undefined };
}

const shown = ({ id, title, fields }: SourceTask) => ({ id, title, verify: fields.verify ?? null });

function readSource(path: string, text: string, place: string) {
  const name = relative(place, path).replaceAll("\\", "/");
  const { objective, tasks } = readGsd(text, name);
  if (tasks.length === 0) {
    throw new InputError(
      `Cannot make tasks of \`${name}\`, expected a \`<task>\` in it, or boxes if it is the only plan`,
      {
        code: "source-empty",
        hint: "Name plans with tasks; a plan with boxes has to be the only one",
      },
    );
  }
  return { title: `${name}${objective === null ? "" : `: ${objective}`}`, tasks };
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8").slice(0, most);
  } catch (cause) {
    throw new InputError(`Cannot read \`${path}\`, expected a readable file`, {
      code: "source-unreadable",
      hint: "Correct the path after --from",
      cause,
    });
  }
}
