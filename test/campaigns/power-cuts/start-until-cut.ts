import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { alive } from "../../support/processes.ts";
import type { Project } from "../coordinator/project.ts";
import type { Start } from "../scenarios/scenario.ts";
import { programOf } from "../syscalls/program-of.ts";

export interface CutMoment {
  readonly event: number;
  readonly laterMs: number;
  readonly preload?: string;
}

export interface CutStart {
  readonly exitCode: number | null;
  readonly events: readonly { readonly type: string; readonly key?: string }[];
  readonly journals: readonly Buffer[];
  readonly said: string;
}

const booted = 'mount --bind "$0" /proc/sys/kernel/random/boot_id && exec "$@"';

export async function startUntilCut(
  project: Project,
  start: Start,
  { event, laterMs, preload }: CutMoment,
  boot: string,
  cut: () => void,
): Promise<CutStart> {
  const { words, env } = programOf(project, start, "json");
  const child = spawn("unshare", ["--mount", "sh", "-c", booted, boot, ...words], {
    cwd: project.workspace,
    env: { ...env, ...(preload !== undefined && { NODE_OPTIONS: `--import ${preload}` }) },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let out = "";
  let said = "";
  let journals: readonly Buffer[] = [];
  let timer: NodeJS.Timeout | undefined;
  const stop = (): void => {
    if (!child.kill("SIGSTOP")) return;
    journals = readJournals(project);
    cut();
    child.kill("SIGKILL");
    for (const pid of alive(project)) kill(pid);
  };
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    out += text;
    if (timer === undefined && out.split("\n").length > event) timer = setTimeout(stop, laterMs);
  });
  const [exitCode] = (await once(child, "close")) as [number | null];
  clearTimeout(timer);
  const events = out
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line) as { type: string; key?: string });
  return { exitCode, events, journals, said };
}

function readJournals({ dataFolder }: Project): Buffer[] {
  const folder = join(dataFolder, "run-1");
  const names = readdirSync(folder).filter((name) => /^journal-\d+\.ndjson$/.test(name));
  return names.map((_, index) => readFileSync(join(folder, `journal-${index + 1}.ndjson`)));
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // The process has ended by itself.
  }
}
