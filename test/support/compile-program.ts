import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";

const here = resolve(import.meta.dirname, "../..");

export interface CompiledProgram {
  /** Inside the package, where the program finds its version and dependencies. */
  readonly folder: string;
  remove(): void;
}

export async function compileProgram(root = here): Promise<CompiledProgram> {
  mkdirSync(join(root, "reports"), { recursive: true });
  const folder = mkdtempSync(join(root, "reports", "compiled-"));
  const lean = ["--declaration", "false"];
  await promisify(execFile)(join(root, "node_modules", ".bin", "tsc"), ["--outDir", folder, ...lean], { cwd: root });
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
