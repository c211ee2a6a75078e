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

export async function startTraced(
  program: readonly string[],
  strace: readonly string[] | null,
  { cwd, env, output }: { cwd: string; env: NodeJS.ProcessEnv; output: string },
): Promise<TracedEnd> {
  // The shell starts strace and then becomes the program, so the program has the shell's process id.
  const words = strace === null ? program : ["strace", "-D", "-o", output, ...strace, ...program];
  const script = `exec ${words.map(quoted).join(" ")}`;
  const child = spawn("sh", ["-c", script], { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      said += text;
    });
  }
  // strace keeps the streams open too, so the trace is complete once they close.
  const [exitCode, signal] = (await once(child, "close")) as [number | null, NodeJS.Signals | null];
  const traced = strace === null ? "" : readFileSync(output, "utf8");
  rmSync(output, { force: true });
  return { pid: child.pid ?? 0, exitCode, signal, said, traced };
}

const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`).replaceAll(pidMark, () => `'"$$"'`)}'`;
