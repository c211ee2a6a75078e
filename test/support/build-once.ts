import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "../..");

/**
 * Builds the program once, for the tests that start it: never an older one, nor one that is being built elsewhere.
 * Answers what takes the build away.
 */
export default function buildOnce(): () => void {
  // Inside the package, so that the program finds its version and its dependencies.
  const folder = join(root, "reports", `build-under-test-${process.pid}`);
  const lean = ["--declaration", "false", "--declarationMap", "false", "--sourceMap", "false"];
  try {
    execFileSync(join(root, "node_modules/.bin/tsc"), ["--outDir", folder, ...lean], { cwd: root, encoding: "utf8" });
  } catch (cause) {
    const said = cause instanceof Error && "stdout" in cause ? String(cause.stdout) : "";
    throw new Error(`Cannot build the program that is tested:\n${said}`, { cause });
  }
  process.env["FIXPOINT_BUILD_UNDER_TEST"] = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}
