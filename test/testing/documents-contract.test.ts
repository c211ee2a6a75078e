import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, it } from "vitest";
import { fileStore } from "../../src/adapters/documents/file-store.ts";
import { progressName } from "../../src/model/file-names.ts";
import { documentsContract, type OpenDocuments } from "../../src/testing/documents-contract.ts";
import { memoryStore } from "../../src/testing/memory-store.ts";
import { ownDocuments } from "./own-documents.ts";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

const inFiles: OpenDocuments = async (tasks, progress, artifacts = {}) => {
  const folder = mkdtempSync(join(tmpdir(), "fixpoint-store-"));
  folders.push(folder);
  const dataFolder = join(folder, ".fixpoint");
  mkdirSync(dataFolder);
  writeFileSync(join(folder, "tasks.md"), tasks);
  writeFileSync(join(folder, ".progress.md"), progress);
  for (const [name, text] of Object.entries(artifacts)) writeFileSync(join(folder, name), text);
  return {
    documents: fileStore({ folder, dataFolder }),
    text: async (name) => (existsSync(join(folder, name)) ? readFileSync(join(folder, name), "utf8") : ""),
    reportAt: async (path) => readFileSync(join(folder, path), "utf8"),
    overwrite: async (name, text) => writeFileSync(join(folder, name), text),
    writeMemberLog: async (member, text) => writeFileSync(join(folder, progressName(member)), text),
  };
};

const inMemory: OpenDocuments = async (tasks, progress, artifacts) => {
  const store = memoryStore(tasks, progress, artifacts);
  return {
    documents: store,
    text: async (name) => {
      if (name === "SUMMARY.md") return store.summary.text;
      return name === "tasks.md" ? store.tasks.text : store.log.text;
    },
    reportAt: async (path) => store.reports.get(path) ?? "",
    overwrite: async (_, text) => {
      store.tasks.text = text;
    },
    writeMemberLog: async (member, text) => {
      store.memberLogs.set(member, text);
    },
  };
};

describe.each([
  ["in files", inFiles],
  ["in memory", inMemory],
])("documents %s", (_, open) => {
  const contracts = [...documentsContract, ...ownDocuments];
  it.each(contracts.map(({ name, run }) => [name, run] as const))("%s", (_, run) => run(open));
});
