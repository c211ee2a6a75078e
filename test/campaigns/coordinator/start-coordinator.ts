import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Start } from "../scenarios/scenario.ts";
import { callProgram, type Ended, type Kill } from "./call-program.ts";
import { environmentOf } from "./environment-of.ts";
import type { Project } from "./project.ts";

export async function startCoordinator(project: Project, start: Start, kill: Kill = {}): Promise<Ended> {
  const isOver = new AbortController();
  const spoken = sayTo(project, start, isOver.signal);
  const ended = await callProgram(project, wordsOf(project, start), kill, start.env);
  isOver.abort();
  await spoken;
  return ended;
}

async function sayTo(project: Project, { says }: Start, signal: AbortSignal): Promise<void> {
  if (says === undefined) return;
  const { root, program, spec, workspace } = project;
  while (!existsSync(join(workspace, says.when))) {
    if (signal.aborted) return;
    await sleep(20);
  }
  for (const word of says.words) {
    if (signal.aborted) return;
    const words = [join(root, "test/campaigns/coordinator/say-word.mjs"), program, spec, word];
    const child = spawn(process.execPath, words, { cwd: workspace, env: environmentOf(project), stdio: "ignore" });
    await once(child, "close");
  }
}

/** Only the first start gives consent, because a later start must not need more. */
export function wordsOf(
  { scenario, root, spec, dataFolder }: Project,
  { words = ["run"] }: Start,
  reporter: "plain" | "json" = "plain",
): string[] {
  const [command = "run", ...options] = words;
  if (command === "pause") return [command, spec, ...options];
  const isBegun = existsSync(join(dataFolder, "run-1/journal-1.ndjson"));
  const consents = !isBegun && scenario.plan?.includes("**Verify**") !== false;
  const named = (["executor", "verifier", "reviewer", "operator"] as const).flatMap((role) =>
    scenario[role] === undefined ? [] : [role === "executor" ? "--exec" : `--${role}-exec`, `./${role}.sh`],
  );
  const flags = (scenario.flags ?? []).map((flag) => flag.replace("$ROOT", root));
  return [command, spec, "--reporter", reporter, ...named, ...flags, ...options, ...(consents ? ["--yes"] : [])];
}
