import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, rmSync } from "node:fs";
import { pidMark } from "./traced-call.ts";

/** How a program ended that was started below strace. */
export interface TracedEnd {
  readonly pid: number;
  /** Null when it was killed. */
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  /** All it printed, on both streams. */
  readonly said: string;
  /** What strace told. */
  readonly traced: string;
}

/**
 * Start a program below strace, which is no parent of it.
 *
 * @param program Its words, the first of them its path.
 * @param strace What strace is told, with `pidMark` for the number of the program; null: without it.
 * @param output File for what strace tells; gone afterwards.
 */
export async function startTraced(
  program: readonly string[],
  strace: readonly string[] | null,
  { cwd, env, output }: { cwd: string; env: NodeJS.ProcessEnv; output: string },
): Promise<TracedEnd> {
  // The shell becomes the program, below a strace of its own making, so that its number is known to both.
  const words = strace === null ? program : ["strace", "-D", "-o", output, ...strace, ...program];
  const script = `exec ${words.map(quoted).join(" ")}`;
  const child = spawn("sh", ["-c", script], { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      said += text;
    });
  }
  // Strace has the streams, too: once they are closed it has told everything.
  const [exitCode, signal] = (await once(child, "close")) as [number | null, NodeJS.Signals | null];
  const traced = strace === null ? "" : readFileSync(output, "utf8");
  rmSync(output, { force: true });
  return { pid: child.pid ?? 0, exitCode, signal, said, traced };
}

/** As a word of sh, which knows its own number. */
const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`).replaceAll(pidMark, () => `'"$$"'`)}'`;
