import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, rmSync } from "node:fs";
import { pidMark } from "./traced-call.ts";

export interface TracedEnd {
  readonly pid: number;
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly said: string;
  readonly traced: string;
}

/**
 * Runs a program under strace, which is not its parent.
 *
 * @param program Path of the program, and its arguments.
 * @param strace Arguments of strace, with `pidMark` for the program's process id; null to run without strace.
 * @param output File for the output of strace; removed afterwards.
 */
export async function startTraced(
  program: readonly string[],
  strace: readonly string[] | null,
  { cwd, env, output }: { cwd: string; env: NodeJS.ProcessEnv; output: string },
): Promise<TracedEnd> {
  // The shell starts strace and then execs the program, so the program keeps the shell's process id.
  const words = strace === null ? program : ["strace", "-D", "-o", output, ...strace, ...program];
  const script = `exec ${words.map(quoted).join(" ")}`;
  const child = spawn("sh", ["-c", script], { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      said += text;
    });
  }
  // Strace keeps the streams open too, so its output is complete once they close.
  const [exitCode, signal] = (await once(child, "close")) as [number | null, NodeJS.Signals | null];
  const traced = strace === null ? "" : readFileSync(output, "utf8");
  rmSync(output, { force: true });
  return { pid: child.pid ?? 0, exitCode, signal, said, traced };
}

/** Quotes a word for sh, and replaces `pidMark` with the shell's process id. */
const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`).replaceAll(pidMark, () => `'"$$"'`)}'`;
