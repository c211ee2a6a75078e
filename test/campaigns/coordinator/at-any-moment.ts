import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isJson } from "../../support/is-json.ts";
import { idsOf } from "./ids-of.ts";
import type { Project } from "./project.ts";
import { readJournals } from "./read-journals.ts";

export function atAnyMoment(project: Project): string[] {
  const ids = idsOf(readFileSync(join(project.spec, "tasks.md"), "utf8"));
  const doubled = ids.filter((id, index) => ids.indexOf(id) !== index);
  const state = join(project.spec, ".ralph-state.json");
  const torn = existsSync(state) && !isJson(readFileSync(state, "utf8"));
  return [
    ...(doubled.length > 0 ? [`in the plan twice: ${doubled}`] : []),
    ...(torn ? ["the state file is torn"] : []),
    ...readJournals(project).violations,
  ];
}
