import { join } from "node:path";
import { environmentOf } from "../coordinator/environment-of.ts";
import type { Project } from "../coordinator/project.ts";
import { wordsOf } from "../coordinator/start-coordinator.ts";
import type { Start } from "../scenarios/scenario.ts";

/** The command line and environment of a start. */
export interface Program {
  /** The path of the program, and its arguments. */
  readonly words: readonly [string, ...string[]];
  readonly env: NodeJS.ProcessEnv;
}

/** The command line and environment of a scenario's start. */
export function programOf(project: Project, start: Start, reporter: "plain" | "json" = "plain"): Program {
  const main = join(project.program, "src/hosts/cli/main.js");
  return {
    words: [process.execPath, main, ...wordsOf(project, start, reporter)],
    env: { ...environmentOf(project), ...start.env },
  };
}
