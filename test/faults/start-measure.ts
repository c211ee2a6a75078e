import { spawn, spawnSync } from "node:child_process";
import { text } from "node:stream/consumers";
import type { Measurement, Scenario } from "./scenario.ts";

export type Measured = Omit<Measurement, "text" | "stderr"> & { readonly violations: readonly string[] };

/** Options of `setpriv`: the user is subject to limits, but may read all files. */
const asNobody = ["--reuid=65534", "--inh-caps=+dac_override", "--ambient-caps=+dac_override"];

export function isPossible({ crowded = false, program }: Scenario): boolean {
  if (crowded && spawnSync("setpriv", [...asNobody, "prlimit", "--version"]).status !== 0) return false;
  return program === undefined || spawnSync(program).status === 0;
}

export async function startMeasure(
  file: string,
  { name, crowded = false }: Scenario,
  floodBytes: number,
): Promise<Measured> {
  const own = [process.execPath, file, name, String(floodBytes)];
  const [program = "", ...args] = crowded ? ["setpriv", ...asNobody, ...own] : own;
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"] });
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  if (err !== "") throw new Error(`Cannot measure \`${name}\`: ${err}`);
  return JSON.parse(out) as Measured;
}
