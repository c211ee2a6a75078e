import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { basename, dirname, join, sep } from "node:path";
import { fileStore } from "../../../src/adapters/documents/file-store.ts";
import { outputPaths } from "../../../src/adapters/processes/open-output.ts";
import { replyFiles } from "../../../src/hosts/node/file-journal.ts";
import { findSpec } from "../../../src/hosts/node/find-spec.ts";
import { progressName } from "../../../src/model/file-names.ts";
import { attemptKey } from "../../../src/model/reply.ts";
import { fileSink } from "./file-sink.ts";
import { isRefusal, orRefused } from "./refusal.ts";

export const fileNamesSink = fileSink("file names", 3, (folder) => {
  const workspace = join(folder, "a", "workspace");
  const spec = join(workspace, "specs", "sample");
  mkdirSync(join(spec, ".fixpoint"), { recursive: true });
  for (const name of ["tasks.md", "design.md"]) writeFileSync(join(spec, name), "- [ ] 1.1 One\n");
  const outside = (): string[] => [...readdirSync(folder), ...readdirSync(join(folder, "a"))];
  const [before, plan] = [outside(), readdirSync(spec)];
  const documents = fileStore({ folder: spec, dataFolder: join(spec, ".fixpoint"), workspace });
  const outputs = join(workspace, "outputs");
  return async (text) => {
    const paths = outputPaths(outputs, attemptKey(text, 1));
    for (const path of Object.values(paths)) {
      assert.equal(dirname(path), outputs);
      assert.match(basename(path), /^[A-Za-z0-9._#%~-]{1,250}$/);
    }
    assert.equal(basename(progressName(text)), progressName(text));
    const store = replyFiles(outputs);
    store.writeOutput(attemptKey(text, 1), "said");
    assert.equal(await store.readOutput(attemptKey(text, 1)), "said");
    await refusedOr(() => documents.artifact(text));
    assert.equal(await documents.progress(text), "");
    const report = await refusedOr(() => documents.report("# Fixpoint - Stuck Report\n", text));
    if (report !== null) assert.ok(existsSync(join(workspace, report)), report);
    const found = orRefused(() => findSpec(text, workspace));
    assert.ok(found === null || `${found.folder}${sep}`.startsWith(workspace + sep), "a spec outside of the workspace");
    assert.deepEqual(outside(), before);
    assert.deepEqual(readdirSync(spec), plan);
  };
});

async function refusedOr<Result>(call: () => Promise<Result>): Promise<Result | null> {
  try {
    return await call();
  } catch (error) {
    if (isRefusal(error)) return null;
    throw error;
  }
}
