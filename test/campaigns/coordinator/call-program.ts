import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { environmentOf } from "./environment-of.ts";
import type { Project } from "./project.ts";

export interface Kill {
  /** Durable action of the process, counted from 1, right before which it is killed. */
  readonly atChange?: number;
  /** Change of a file through its path, counted from 1, right before which the process is killed. */
  readonly atFile?: number;
  readonly afterMs?: number;
}

export interface Ended {
  readonly exitCode: number | null;
  readonly killed: boolean;
  readonly out: string;
  readonly said: string;
  readonly changes: number | null;
}

export async function callProgram(
  project: Pick<Project, "root" | "program" | "folder" | "workspace" | "forge">,
  words: readonly string[],
  kill: Kill = {},
  more: NodeJS.ProcessEnv = {},
): Promise<Ended> {
  const { root, program, folder, workspace } = project;
  const counted = join(folder, "changes");
  rmSync(counted, { force: true });
  const env = {
    ...environmentOf(project),
    ...more,
    COUNT_WRITES: counted,
    ...(kill.atChange !== undefined && { DIE_AT_WRITE: String(kill.atChange) }),
    ...(kill.atFile !== undefined && { DIE_AT_FILE: String(kill.atFile) }),
  };
  const dieAtWrite = pathToFileURL(join(root, "test/support/die-at-write.mjs")).href;
  const call = ["--import", dieAtWrite, join(program, "src/hosts/cli/main.js"), ...words];
  const child = spawn(process.execPath, call, { cwd: workspace, env, stdio: ["ignore", "pipe", "pipe"] });
  const printed = { out: "", said: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    printed.out += text;
    printed.said += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    printed.said += text;
  });
  const timer = kill.afterMs === undefined ? undefined : setTimeout(() => child.kill("SIGKILL"), kill.afterMs);
  // Wait until the output is closed: programs that a killed coordinator leaves behind do not hold it open.
  const [exitCode, signal] = (await once(child, "close")) as [number | null, NodeJS.Signals | null];
  clearTimeout(timer);
  const changes = existsSync(counted) ? Number(readFileSync(counted, "utf8")) : null;
  return { exitCode, killed: signal === "SIGKILL", ...printed, changes };
}
