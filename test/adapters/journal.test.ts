import fs, { appendFileSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { type Journal, openJournal, readJournal } from "../../src/adapters/journal.ts";
import { Policy } from "../../src/model/policy.ts";
import { noSeed } from "../../src/model/run-seed.ts";
import { lastingFolder, recordsIn } from "../support/cli.ts";

const seed = noSeed;
const facts = { policy: Policy.parse({}), planHash: "", open: 1, seed };
const begin = (base: string, run: number): Journal => openJournal(readJournal(base), run, facts);
const spared = (key: string) => ({ type: "spared", key }) as const;
const numbersIn = (path: string) => recordsIn(path).map((record) => (record as { n?: number }).n);

const { fdatasyncSync } = fs;
afterEach(() => {
  fs.fdatasyncSync = fdatasyncSync;
  syncBuiltinESMExports();
});
/** Has something happen while the next record is synced. */
function duringSync(happen: () => void): void {
  fs.fdatasyncSync = (file) => {
    fs.fdatasyncSync = fdatasyncSync;
    syncBuiltinESMExports();
    happen();
    fdatasyncSync(file);
  };
  syncBuiltinESMExports();
}

describe("the numbers of records", () => {
  it("begin with 1 in every run, and go on from segment to segment", () => {
    const base = lastingFolder();
    for (const [run, keys] of [
      [1, ["a", "b"]],
      [1, ["c"]],
      [2, ["d"]],
      [2, ["e"]],
    ] as const) {
      const journal = begin(base, run);
      for (const key of keys) journal.append(spared(key), { durable: true });
    }
    const places = ["run-1/journal-1", "run-1/journal-2", "run-2/journal-1", "run-2/journal-2"];
    expect(places.map((place) => numbersIn(join(base, `${place}.ndjson`)))).toEqual([[1, 2], [3], [1], [2]]);
    expect(readJournal(base).records).toHaveLength(2);
  });
});

describe("a record that is written while another coordinator takes over", () => {
  it("counts for nobody, and its writer hears so, when the other has not read it", () => {
    const base = lastingFolder();
    const journal = begin(base, 1);
    const reading = readJournal(base);
    duringSync(() => openJournal(reading, 1, facts));
    expect(() => journal.append(spared("a"), { durable: true })).toThrow(
      expect.objectContaining({ code: "spec-taken-over" }),
    );
    expect(readJournal(base).records).toEqual([]);
  });

  it("counts when the other has read it", () => {
    const base = lastingFolder();
    const journal = begin(base, 1);
    duringSync(() => begin(base, 1));
    journal.append(spared("a"), { durable: true });
    expect(readJournal(base).records).toHaveLength(1);
    expect(() => journal.append(spared("b"), { durable: true })).toThrow(
      expect.objectContaining({ code: "spec-taken-over" }),
    );
  });
});

describe("drafts that killed starts have left", () => {
  it("are gone with the next start, those in the runs before as well", () => {
    const base = lastingFolder();
    begin(base, 1).append(spared("a"), { durable: true });
    begin(base, 2).append(spared("a"), { durable: true });
    const runs = ["run-1/journal-1.ndjson-1-x.tmp", "run-2/journal-2.ndjson-1-x.tmp", "run-3/journal-1.ndjson-1-x.tmp"];
    const drafts = ["state-1-x.tmp", ...runs];
    mkdirSync(join(base, "run-3"));
    for (const draft of drafts) writeFileSync(join(base, draft), "");
    begin(base, 3);
    expect(drafts.filter((draft) => existsSync(join(base, draft)))).toEqual([]);
  });

  it("are left alone when they belong to one that takes over meanwhile", () => {
    const base = lastingFolder();
    const reading = readJournal(base);
    const { linkSync } = fs;
    const draft = join(base, "replacement-2-x.tmp");
    fs.linkSync = (...given) => {
      linkSync(...given);
      appendFileSync(draft, "");
    };
    syncBuiltinESMExports();
    try {
      openJournal(reading, 1, facts);
    } finally {
      fs.linkSync = linkSync;
      syncBuiltinESMExports();
    }
    expect(existsSync(draft)).toBe(true);
  });
});
