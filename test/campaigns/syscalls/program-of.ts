import { join } from "node:path";
import { environmentOf } from "../coordinator/environment-of.ts";
import type { Project } from "../coordinator/project.ts";
import { wordsOf } from "../coordinator/start-coordinator.ts";
import type { Start } from "../scenarios/scenario.ts";

export interface Program {
  readonly words: readonly [string, ...string[]];
  readonly env: NodeJS.ProcessEnv;
}

export function programOf(project: Project, start: Start, reporter: "plain" | "json" = "plain"): Program {
  const main = join(project.program, "src/hosts/cli/main.js");
  return {
    words: [process.execPath, main, ...wordsOf(project, start, reporter)],
    env: { ...environmentOf(project), ...start.env },
  };
}
