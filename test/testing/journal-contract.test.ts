import { join } from "node:path";
import { describe, it } from "vitest";
import { specFiles } from "../../src/adapters/files/spec-files.ts";
import { readJournal } from "../../src/adapters/journal/read-journal.ts";
import { fileJournal } from "../../src/hosts/node/file-journal.ts";
import { temporaryFolder } from "../support/folder.ts";
import { takeJournal } from "../support/forced-lease.ts";
import { memoryJournal } from "../support/memory-journal.ts";
import { journalContract, type OpenJournal } from "./journal-contract.ts";

const overFiles: OpenJournal = async () => {
  const base = join(temporaryFolder(), ".fixpoint");
  return {
    read: () => readJournal(base, { whole: false }),
    begin: (facts) => fileJournal(takeJournal(readJournal(base), 1, { ...facts, planHash: "" }), specFiles(base)),
  };
};

describe.each<[string, OpenJournal]>([
  ["in memory", async () => memoryJournal(() => 1_700_000_000_000)],
  ["over files", overFiles],
])("a journal %s", (_, open) => {
  it.each(journalContract)("$name", ({ run }) => run(open));
});
