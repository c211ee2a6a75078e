import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import type { Start } from "../scenarios/scenario.ts";
import { environmentOf } from "./environment-of.ts";
import type { Project } from "./project.ts";

/** When a start is killed with SIGKILL. */
export interface Kill {
  /** Right before its durable action of this number, from 1. */
  readonly atChange?: number;
  /** After this time. */
  readonly afterMs?: number;
}

/** How a start has ended. */
export interface Started {
  /** Null when it was killed. */
  readonly exitCode: number | null;
  readonly killed: boolean;
  /** What it printed, on stdout and stderr. */
  readonly said: string;
  /** Its durable actions; null when it was killed. */
  readonly changes: number | null;
}

/** Start the program of the build with the words of a start, and wait for its end. */
export async function startCoordinator(project: Project, start: Start, kill: Kill = {}): Promise<Started> {
  const { root, program, folder, workspace } = project;
  const counted = join(folder, "changes");
  rmSync(counted, { force: true });
  const env = {
    ...environmentOf(project),
    ...start.env,
    COUNT_WRITES: counted,
    ...(kill.atChange !== undefined && { DIE_AT_WRITE: String(kill.atChange) }),
  };
  const dieAtWrite = pathToFileURL(join(root, "test/support/die-at-write.mjs")).href;
  const words = ["--import", dieAtWrite, join(program, "src/hosts/cli/main.js"), ...wordsOf(project, start)];
  const child = spawn(process.execPath, words, { cwd: workspace, env, stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      said += text;
    });
  }
  const timer = kill.afterMs === undefined ? undefined : setTimeout(() => child.kill("SIGKILL"), kill.afterMs);
  const isOver = new AbortController();
  const spoken = sayTo(project, start, isOver.signal);
  // Programs of a coordinator that was killed have other outputs than its own.
  const [exitCode, signal] = (await once(child, "close")) as [number | null, NodeJS.Signals | null];
  clearTimeout(timer);
  isOver.abort();
  await spoken;
  const changes = existsSync(counted) ? Number(readFileSync(counted, "utf8")) : null;
  return { exitCode, killed: signal === "SIGKILL", said, changes };
}

/** Say to a coordinator what a person does. Nobody need hear it: it may have been killed, or have ended. */
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

/** Consent is given once, to commands that are there: from then on the plan has to be found as it was left. */
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
