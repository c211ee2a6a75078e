import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, rmSync } from "node:fs";
import { pidMark } from "./traced-call.ts";

/** The end of a program run under strace. */
export interface TracedEnd {
  readonly pid: number;
  /** Null if the program was killed. */
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Output on stdout and stderr. */
  readonly said: string;
  /** The output of strace. */
  readonly traced: string;
}

/**
 * Starts a program under a strace that is not its parent.
 *
 * @param program The path of the program, and its arguments.
 * @param strace Arguments of strace, with `pidMark` for the program's process id; null to run without strace.
 * @param output File for strace's output; removed afterwards.
 */
export async function startTraced(
  program: readonly string[],
  strace: readonly string[] | null,
  { cwd, env, output }: { cwd: string; env: NodeJS.ProcessEnv; output: string },
): Promise<TracedEnd> {
  // The shell starts strace and execs the program, so that the shell's process id is the program's.
  const words = strace === null ? program : ["strace", "-D", "-o", output, ...strace, ...program];
  const script = `exec ${words.map(quoted).join(" ")}`;
  const child = spawn("sh", ["-c", script], { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      said += text;
    });
  }
  // Strace holds the streams open as well: once they are closed, its output is complete.
  const [exitCode, signal] = (await once(child, "close")) as [number | null, NodeJS.Signals | null];
  const traced = strace === null ? "" : readFileSync(output, "utf8");
  rmSync(output, { force: true });
  return { pid: child.pid ?? 0, exitCode, signal, said, traced };
}

/** Quotes a word for sh, with the shell's process id in place of `pidMark`. */
const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`).replaceAll(pidMark, () => `'"$$"'`)}'`;
