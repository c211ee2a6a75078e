import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { bundleProgram } from "./bundle-program.mjs";

const root = resolve(import.meta.dirname, "../..");

/**
 * Builds the program once for the tests that start it, so that none uses an older or half-written build. Also creates
 * the folders for work and consent. Returns a function that removes everything.
 */
export default async function buildOnce(): Promise<() => void> {
  mkdirSync(join(root, "reports"), { recursive: true });
  const folder = mkdtempSync(join(root, "reports", "build-under-test-"));
  await bundleProgram(root, folder);
  const folders = mkdtempSync(join(tmpdir(), "fixpoint-tests-"));
  process.env["FIXPOINT_BUILD_UNDER_TEST"] = folder;
  process.env["FIXPOINT_TEST_FOLDERS"] = folders;
  // Consent given by tests is not stored for the user who runs them.
  const consents = mkdtempSync(join(tmpdir(), "fixpoint-tests-state-"));
  process.env["XDG_STATE_HOME"] = consents;
  // Nor is compiled code kept for that user.
  process.env["NODE_DISABLE_COMPILE_CACHE"] = "1";
  return () => {
    for (const path of [folder, folders, consents]) rmSync(path, { recursive: true, force: true });
  };
}
