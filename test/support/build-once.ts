import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { bundleProgram } from "./bundle-program.mjs";

const root = resolve(import.meta.dirname, "../..");

/**
 * Builds the program once, for the tests that start it: never an older one, nor one that is being built elsewhere.
 * Makes the folders in which they work and remember consent, too. Answers what takes all away.
 */
export default async function buildOnce(): Promise<() => void> {
  mkdirSync(join(root, "reports"), { recursive: true });
  const folder = mkdtempSync(join(root, "reports", "build-under-test-"));
  await bundleProgram(root, folder);
  const folders = mkdtempSync(join(tmpdir(), "fixpoint-tests-"));
  process.env["FIXPOINT_BUILD_UNDER_TEST"] = folder;
  process.env["FIXPOINT_TEST_FOLDERS"] = folders;
  // What the tests agree to is nothing of the user who runs them.
  const consents = mkdtempSync(join(tmpdir(), "fixpoint-tests-state-"));
  process.env["XDG_STATE_HOME"] = consents;
  // Nor is compiled code kept for that user.
  process.env["NODE_DISABLE_COMPILE_CACHE"] = "1";
  return () => {
    for (const path of [folder, folders, consents]) rmSync(path, { recursive: true, force: true });
  };
}
