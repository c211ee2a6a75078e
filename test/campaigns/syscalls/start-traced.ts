import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, rmSync } from "node:fs";
import { pidMark } from "./traced-call.ts";

/** The end of a program run under strace. */
export interface TracedEnd {
  readonly pid: number;
  /** Null if it was killed. */
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Its output on both streams. */
  readonly said: string;
  /** The output of strace. */
  readonly traced: string;
}

/**
 * Starts a program under strace, which is not its parent.
 *
 * @param program Its arguments, the first of them its path.
 * @param strace Arguments of strace, with `pidMark` for the id of the program; null: without it.
 * @param output File for strace's output; removed afterwards.
 */
export async function startTraced(
  program: readonly string[],
  strace: readonly string[] | null,
  { cwd, env, output }: { cwd: string; env: NodeJS.ProcessEnv; output: string },
): Promise<TracedEnd> {
  // The shell execs the program, traced by a strace it started, so that its process id is known to both.
  const words = strace === null ? program : ["strace", "-D", "-o", output, ...strace, ...program];
  const script = `exec ${words.map(quoted).join(" ")}`;
  const child = spawn("sh", ["-c", script], { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      said += text;
    });
  }
  // Strace has the streams too: once they are closed its output is complete.
  const [exitCode, signal] = (await once(child, "close")) as [number | null, NodeJS.Signals | null];
  const traced = strace === null ? "" : readFileSync(output, "utf8");
  rmSync(output, { force: true });
  return { pid: child.pid ?? 0, exitCode, signal, said, traced };
}

/** As a word of sh, which knows its own process id. */
const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`).replaceAll(pidMark, () => `'"$$"'`)}'`;
