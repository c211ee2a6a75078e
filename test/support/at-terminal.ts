import { spawn, spawnSync } from "node:child_process";
import { text } from "node:stream/consumers";
import { cli } from "./cli.ts";

export const hasTerminals = spawnSync("script", ["--version"]).status === 0;

const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;

export async function atTerminal(
  { workspace }: { readonly workspace: string },
  ...words: readonly string[]
): Promise<{ readonly exitCode: number | null; readonly out: string }> {
  const line = ["exec", ...[process.execPath, cli, ...words].map(quoted)].join(" ");
  const child = spawn("script", ["--quiet", "--return", "--command", line, "/dev/null"], {
    cwd: workspace,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const closed = new Promise<number | null>((settle) => child.once("close", settle));
  const [exitCode, out] = await Promise.all([closed, text(child.stdout)]);
  return { exitCode, out: out.replaceAll("\r\n", "\n") };
}
