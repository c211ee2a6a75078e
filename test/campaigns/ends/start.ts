import { type ChildProcess, spawn } from "node:child_process";
import type { Way } from "./way.ts";

export interface Started {
  readonly child: ChildProcess;
  readonly end: Promise<number | NodeJS.Signals>;
}

export function start({ trigger, words = [] }: Partial<Way>, program: string, workspace: string): Started {
  const main = `${program}/src/hosts/cli/main.js`;
  const run = ["run", "spec", "--exec", "./executor.sh", "--reporter", "plain", "--yes"];
  const [file = "", ...args] = within(trigger?.kind, [process.execPath, main, ...run, ...words]);
  const child = spawn(file, args, { cwd: workspace, stdio: "ignore" });
  const end = new Promise<number | NodeJS.Signals>((settle, refuse) => {
    child.once("error", refuse);
    child.once("exit", (exitCode, signal) => settle(exitCode ?? signal ?? 0));
  });
  return { child, end };
}

function within(kind: string | undefined, words: readonly string[]): readonly string[] {
  if (kind === "pipe closed") return ["sh", "-c", '"$0" "$@" | { head -n 1; exec <&-; : > unread; }', ...words];
  if (kind !== "terminal closed") return words;
  const quoted = words.map((word) => `'${word}'`).join(" ");
  return ["script", "--quiet", "--command", `exec ${quoted}`, "/dev/null"];
}
