import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { bundleProgram } from "./bundle-program.mjs";

const root = resolve(import.meta.dirname, "../..");

/**
 * Builds the program once, for the tests that start it: never an older one, nor one that is being built elsewhere.
 * Makes the folder in which they work, too. Answers what takes both away.
 */
export default async function buildOnce(): Promise<() => void> {
  mkdirSync(join(root, "reports"), { recursive: true });
  const folder = mkdtempSync(join(root, "reports", "build-under-test-"));
  await bundleProgram(root, folder);
  const folders = mkdtempSync(join(tmpdir(), "fixpoint-tests-"));
  process.env["FIXPOINT_BUILD_UNDER_TEST"] = folder;
  process.env["FIXPOINT_TEST_FOLDERS"] = folders;
  return () => {
    for (const path of [folder, folders]) rmSync(path, { recursive: true, force: true });
  };
}
