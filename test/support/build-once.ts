import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { bundleProgram } from "./bundle-program.mjs";

const root = resolve(import.meta.dirname, "../..");

/** Builds the program once for all tests, so none uses an old or incomplete build. */
export default async function buildOnce(): Promise<() => void> {
  mkdirSync(join(root, "reports"), { recursive: true });
  const folder = mkdtempSync(join(root, "reports", "build-under-test-"));
  await bundleProgram(root, folder);
  const folders = mkdtempSync(join(tmpdir(), "fixpoint-tests-"));
  process.env["FIXPOINT_BUILD_UNDER_TEST"] = folder;
  process.env["FIXPOINT_TEST_FOLDERS"] = folders;
  // Separates the consent of tests from the data of the user.
  const consents = mkdtempSync(join(tmpdir(), "fixpoint-tests-state-"));
  process.env["XDG_STATE_HOME"] = consents;
  // Protects the user's cache of compiled code.
  process.env["NODE_DISABLE_COMPILE_CACHE"] = "1";
  return () => {
    for (const path of [folder, folders, consents]) rmSync(path, { recursive: true, force: true });
  };
}
