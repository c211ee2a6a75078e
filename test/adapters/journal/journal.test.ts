import fs, {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { hostname } from "node:os";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { afterEach, describe, expect, it } from "vitest";
import { draftPath, draftsIn, draftsOf } from "../../../src/adapters/files/write-atomic.ts";
import type { Journal } from "../../../src/adapters/journal/journal.ts";
import { sealLine } from "../../../src/adapters/journal/journal-segment.ts";
import { readJournal, segmentPath } from "../../../src/adapters/journal/read-journal.ts";
import { identifyProcess } from "../../../src/adapters/processes/process-identity.ts";
import { Policy } from "../../../src/model/policy.ts";
import { noSeed } from "../../../src/model/run-seed.ts";
import { takeJournal } from "../../support/forced-lease.ts";
import { openIn } from "../../support/open-in.ts";
import { lastingFolder } from "../../support/project.ts";
import { sampleHeader } from "../../support/sample-header.ts";
import { recordsIn } from "../../support/traces.ts";

const seed = noSeed;
const facts = { policy: Policy.parse({}), planHash: "", open: 1, seed };
const begin = (base: string, run: number): Journal => takeJournal(readJournal(base), run, facts);
const spared = (key: string) => ({ type: "refunded", key }) as const;
const ended = { type: "ended" } as unknown as Parameters<Journal["append"]>[0][number];
const numbersIn = (path: string) => recordsIn(path).map((record) => (record as { n?: number }).n);

const { fdatasyncSync, ftruncateSync } = fs;
afterEach(() => {
  Object.assign(fs, { fdatasyncSync, ftruncateSync });
  syncBuiltinESMExports();
});
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
  it("begin with 1 in every run, and continue from segment to segment", () => {
    const base = lastingFolder();
    for (const [run, keys] of [
      [1, ["a", "b"]],
      [1, ["c"]],
      [2, ["d"]],
      [2, ["e"]],
    ] as const) {
      const journal = begin(base, run);
      for (const key of keys) journal.append([spared(key)], { durable: true });
    }
    const places = ["run-1/journal-1", "run-1/journal-2", "run-2/journal-1", "run-2/journal-2"];
    expect(places.map((place) => numbersIn(join(base, `${place}.ndjson`)))).toEqual([[1, 2], [3], [1], [2]]);
    expect(readJournal(base).records).toHaveLength(2);
  });
});

describe("a record written during a takeover by another coordinator", () => {
  it("does not count, and its writer is told so, if the other coordinator has not read it", () => {
    const base = lastingFolder();
    const journal = begin(base, 1);
    const reading = readJournal(base);
    duringSync(() => takeJournal(reading, 1, facts));
    expect(() => journal.append([spared("a")], { durable: true })).toThrow(
      expect.objectContaining({ code: "spec-taken-over" }),
    );
    expect(readJournal(base).records).toEqual([]);
  });

  it.each([
    ["is not written yet", ""],
    ["continues from nothing", sealLine(sampleHeader)],
  ])("does not count if the segment of the other %s", (_, content) => {
    const base = lastingFolder();
    const journal = begin(base, 1);
    duringSync(() => writeFileSync(segmentPath(base, 1, 2), content));
    expect(() => journal.append([spared("a")], { durable: true })).toThrow(
      expect.objectContaining({ code: "spec-taken-over", message: expect.stringContaining(join(base, "run-1")) }),
    );
  });

  it("counts if the other coordinator has read it", () => {
    const base = lastingFolder();
    const journal = begin(base, 1);
    duringSync(() => begin(base, 1));
    journal.append([spared("a")], { durable: true });
    expect(readJournal(base).records).toHaveLength(1);
    const told = { code: "spec-taken-over", hint: expect.stringContaining("Leave the spec to the other coordinator") };
    expect(() => journal.append([spared("b")], { durable: true })).toThrow(expect.objectContaining(told));
    expect(() => journal.checkFence()).toThrow(expect.objectContaining(told));
    expect(() => journal.close()).not.toThrow();
  });
});

describe("a record that cannot be written", () => {
  const refusing = (): never => {
    throw Object.assign(new Error("EIO: i/o error, fdatasync"), { code: "EIO", syscall: "fdatasync" });
  };

  it("ends the journal if it can be neither confirmed nor reverted", () => {
    const base = lastingFolder();
    const journal = begin(base, 1);
    journal.append([spared("a")], { durable: true });
    const refuse = (): never => {
      throw Object.assign(new Error("quota exceeded"), { code: "EDQUOT" });
    };
    Object.assign(fs, { fdatasyncSync: refuse, ftruncateSync: refuse });
    syncBuiltinESMExports();
    expect(() => journal.append([spared("b")], { durable: true })).toThrow("quota exceeded");
    Object.assign(fs, { fdatasyncSync, ftruncateSync });
    syncBuiltinESMExports();
    expect(() => journal.append([spared("c")], { durable: true })).toThrow("quota exceeded");
    expect(() => journal.close()).toThrow("quota exceeded");
    expect(numbersIn(segmentPath(base, 1, 1))).toEqual([1, 2]);
    expect(readJournal(base).records).toHaveLength(2);
  });

  it("is reverted, and the next one takes its place", () => {
    const base = lastingFolder();
    const journal = begin(base, 1);
    journal.append([spared("a")], { durable: true });
    const [whole, end] = [readFileSync(segmentPath(base, 1, 1)), journal.end()];
    fs.fdatasyncSync = refusing;
    syncBuiltinESMExports();
    const message = expect.stringContaining(`Cannot write \`${segmentPath(base, 1, 1)}\``);
    expect(() => journal.append([spared("b")], { durable: true })).toThrow(
      expect.objectContaining({ code: "file-refused", message }),
    );
    expect([readFileSync(segmentPath(base, 1, 1)), journal.end()]).toEqual([whole, end]);
    journal.append([spared("ü")], { durable: false });
    expect(readJournal(base).records.map((record) => "key" in record && record.key)).toEqual(["a", "ü"]);
    expect(numbersIn(segmentPath(base, 1, 1))).toEqual([1, 2]);
  });
});

describe("the end of a journal", () => {
  it("is reported with its last line, also before there is a record", () => {
    const base = lastingFolder();
    for (const segment of [1, 2]) {
      const journal = begin(base, 1);
      const path = segmentPath(base, 1, segment);
      for (const key of ["", "ü", "b"]) {
        if (key !== "") journal.append([spared(key)], { durable: false });
        const file = readFileSync(path);
        const line = file.subarray(file.lastIndexOf("\n", file.length - 2) + 1);
        expect(journal.end()).toEqual({ segment, bytes: file.length, crc: crc32(line) });
      }
    }
  });

  it("states that the lease was released, unless the run has ended", () => {
    const base = lastingFolder();
    const types = (run: number) => recordsIn(segmentPath(base, run, 1)).map(({ type }) => type);
    const paused = begin(base, 1);
    paused.append([spared("a")], { durable: false });
    paused.close();
    expect(types(1)).toEqual(["refunded", "released"]);
    const done = begin(base, 2);
    done.append([ended], { durable: true });
    done.close();
    expect(types(2)).toEqual(["ended"]);
  });
});

describe("the beginning of a segment", () => {
  it("states who began the segment, and how long the previous segment was then", () => {
    const base = lastingFolder();
    expect(readJournal(base)).toMatchObject({ run: 0, segments: [] });
    const { bytes } = begin(base, 1).end();
    begin(base, 1);
    const [first, second] = readJournal(base).segments.map(({ header }) => header);
    expect(first).toMatchObject({ ...identifyProcess(process.pid), host: hostname(), segment: 1, after: null });
    expect(second).toMatchObject({ segment: 2, after: { segment: 1, bytes } });
  });

  it("is on disk after the previous segment, with its name in all its folders", () => {
    const base = join(lastingFolder(), ".fixpoint");
    begin(base, 1);
    const synced: string[] = [];
    const noting =
      (sync: (file: number) => void) =>
      (file: number): void => {
        synced.push(readlinkSync(`/proc/self/fd/${file}`));
        sync(file);
      };
    const { fsyncSync } = fs;
    Object.assign(fs, { fsyncSync: noting(fsyncSync), fdatasyncSync: noting(fdatasyncSync) });
    syncBuiltinESMExports();
    try {
      begin(base, 1);
    } finally {
      Object.assign(fs, { fsyncSync, fdatasyncSync });
      syncBuiltinESMExports();
    }
    expect(synced[0]).toBe(segmentPath(base, 1, 1));
    expect(synced.slice(-3)).toEqual([join(base, "run-1"), base, join(base, "..")]);
  });

  it("is the only open part of a journal, until that is closed", () => {
    const base = lastingFolder();
    const journal = begin(base, 1);
    expect(openIn(base)).toBe(1);
    journal.close();
    expect(openIn(base)).toBe(0);
  });
});

describe("drafts left by killed starts", () => {
  it("are removed at the next start, including those in earlier runs", () => {
    const base = lastingFolder();
    begin(base, 1).append([spared("a")], { durable: true });
    begin(base, 2).append([spared("a")], { durable: true });
    const runs = [
      "run-1/journal-1.ndjson-1-0123abcd.tmp",
      "run-1/snapshot.json-1-0123abcd.tmp",
      "run-2/journal-2.ndjson-1-0123abcd.tmp",
      "run-2/plan.md-1-0123abcd.tmp",
      "run-3/journal-1.ndjson-1-0123abcd.tmp",
    ];
    const drafts = ["state-1-0123abcd.tmp", "replacement-4711-89abcdef.tmp", ...runs];
    mkdirSync(join(base, "run-3"));
    for (const draft of drafts) writeFileSync(join(base, draft), "");
    begin(base, 3);
    expect(drafts.filter((draft) => existsSync(join(base, draft)))).toEqual([]);
  });

  it("are recognized by their own names, and are not links or folders", () => {
    const base = lastingFolder();
    begin(base, 1);
    const others = [
      "a.tmp",
      "x.ndjson.5",
      "run-1/journal-1.ndjson.5",
      "run-1/x.tmp",
      "notes-1-0123abcd.tmp",
      "state.tmp",
      "state-1.tmp",
      "state-x-0123abcd.tmp",
      "state-1-0123abc.tmp",
      "run-1/plan.md-mine.tmp",
    ];
    for (const other of others) writeFileSync(join(base, other), "");
    mkdirSync(join(base, "state-1-0123abcd.tmp"));
    symlinkSync("a.tmp", join(base, "replacement-1-0123abcd.tmp"));
    const before = readdirSync(base).sort();
    begin(base, 1);
    expect(readdirSync(base).sort()).toEqual(before);
    expect(others.filter((other) => !existsSync(join(base, other)))).toEqual([]);
  });

  it("have names of their own, whatever they are drafts of", () => {
    const base = lastingFolder();
    const { folder } = begin(base, 1);
    const names = ["replacement", "state", "journal-12.ndjson", "plan.md", "snapshot.json"];
    for (const name of names) writeFileSync(draftPath(name.includes(".") ? folder : base, name), "");
    expect(draftsIn(base)).toHaveLength(names.length);
    expect(draftsOf(folder, "plan.md")).toEqual([draftPath(folder, "plan.md")]);
  });
});

describe("a coordinator whose run data is gone", () => {
  const lost = {
    ...{ blame: "environment", code: "run-data-removed", hint: expect.stringContaining("git clean") },
    message: expect.stringContaining("journal-1.ndjson` is not the original file"),
  };
  const cases: [string, (base: string) => void][] = [
    ["is removed", (base) => rmSync(base, { recursive: true })],
    ["is moved away", (base) => renameSync(base, `${base}-old`)],
    ["is a copy of an earlier state", (base) => replaceBy(base, (old) => cpSync(old, base, { recursive: true }))],
    ["is a file", (base) => replaceBy(base, () => writeFileSync(base, ""))],
    ["lacks its segment", (base) => rmSync(segmentPath(base, 1, 1))],
    ["has a copy of its segment", (base) => overwrite(segmentPath(base, 1, 1))],
  ];
  const replaceBy = (base: string, put: (old: string) => void): void => {
    renameSync(base, `${base}-old`);
    put(`${base}-old`);
  };
  const overwrite = (path: string): void => {
    writeFileSync(`${path}.new`, readFileSync(path));
    renameSync(`${path}.new`, path);
  };

  it.each(cases)("records and begins nothing more if it %s", (_, happen) => {
    const base = join(lastingFolder(), ".fixpoint");
    const journal = begin(base, 1);
    journal.append([spared("a")], { durable: true });
    journal.checkFence();
    happen(base);
    expect(() => journal.checkFence()).toThrow(expect.objectContaining(lost));
    expect(() => journal.append([spared("b")], { durable: true })).toThrow(expect.objectContaining(lost));
    journal.close();
  });

  it("does not follow a link to the place where it was moved", () => {
    for (const place of [".fixpoint", ".fixpoint/run-1"]) {
      const folder = lastingFolder();
      const journal = begin(join(folder, ".fixpoint"), 1);
      renameSync(join(folder, place), join(folder, "moved"));
      symlinkSync(join(folder, "moved"), join(folder, place));
      expect(() => journal.checkFence()).toThrow(expect.objectContaining({ code: "file-refused" }));
    }
  });

  it("stops if it cannot find out whether the run data is gone", () => {
    const base = join(lastingFolder(), ".fixpoint");
    const journal = begin(base, 1);
    renameSync(base, `${base}-old`);
    symlinkSync(base, base);
    const told = { code: "file-refused", message: expect.stringMatching(/^Cannot look at .*ELOOP/) };
    expect(() => journal.checkFence()).toThrow(expect.objectContaining(told));
  });

  it("writes no output through a link in place of its folder", () => {
    const base = join(lastingFolder(), ".fixpoint");
    const journal = begin(base, 1);
    symlinkSync(lastingFolder(), join(journal.folder, "out"));
    expect(() => journal.checkFence()).toThrow(expect.objectContaining({ code: "file-refused" }));
  });

  it("is told if another coordinator works with new run data", () => {
    const base = join(lastingFolder(), ".fixpoint");
    const journal = begin(base, 1);
    rmSync(base, { recursive: true });
    const other = begin(base, 1);
    expect(() => journal.checkFence()).toThrow(expect.objectContaining({ code: "spec-taken-over" }));
    other.checkFence();
    other.close();
  });
});

describe("a journal whose last complete line was altered", () => {
  const path = (base: string): string => segmentPath(base, 1, 1);
  function recorded() {
    const base = join(lastingFolder(), ".fixpoint");
    const journal = begin(base, 1);
    for (const key of ["a", "b", "c"]) journal.append([spared(key)], { durable: true });
    return { base, whole: readFileSync(path(base)) };
  }

  it.each([
    ["in a record", -20],
    ["in its last character", -2],
    ["in its line ending", -1],
  ])("reports which line: %s", (_, place) => {
    const { base, whole } = recorded();
    whole[whole.length + place] = (whole.at(place) ?? 0) ^ 1;
    writeFileSync(path(base), whole);
    const { records, damaged } = readJournal(base);
    expect([records.length, damaged]).toEqual([2, { path: path(base), record: 3 }]);
    truncateSync(path(base), whole.length - 30);
    expect(readJournal(base).damaged).toBeUndefined();
  });

  it("reports any single flipped bit", () => {
    const { base, whole } = recorded();
    const start = whole.lastIndexOf("\n", whole.length - 2) + 1;
    const flips = Array.from({ length: (whole.length - start) * 8 }, (_, flip) => flip);
    for (const flip of flips) {
      const altered = Buffer.from(whole);
      altered[start + (flip >> 3)] = (altered[start + (flip >> 3)] ?? 0) ^ (1 << (flip & 7));
      writeFileSync(path(base), altered);
      const { records, damaged } = readJournal(base);
      expect([records.length, damaged]).toEqual([2, { path: path(base), record: 3 }]);
    }
  });

  it("differs from one torn by a kill, at any byte", () => {
    const { base, whole } = recorded();
    for (let bytes = whole.length - 1; bytes > whole.lastIndexOf("\n", whole.length - 2); bytes -= 1) {
      truncateSync(path(base), bytes);
      const { records, damaged } = readJournal(base);
      expect([records.length, damaged]).toEqual([2, undefined]);
    }
  });

  it("is refused if a later start depends on that line", () => {
    const { base, whole } = recorded();
    begin(base, 1).close();
    const altered = Buffer.from(whole);
    altered[whole.length - 20] = 0x7e;
    for (const content of [altered, whole.subarray(0, whole.length - 30)]) {
      writeFileSync(path(base), content);
      expect(() => readJournal(base)).toThrow(expect.objectContaining({ code: "journal-corrupt" }));
    }
  });
});

describe("a journal with a missing part", () => {
  const corrupt = expect.objectContaining({ code: "journal-corrupt", message: expect.stringContaining("journal-") });
  function threeStarts(): string {
    const base = join(lastingFolder(), ".fixpoint");
    for (const key of ["a", "b", "c"]) {
      const journal = begin(base, 1);
      journal.append([spared(key)], { durable: true });
      journal.close();
    }
    return base;
  }

  it.each([1, 2])("is refused, and nothing is written: segment %i", (segment) => {
    const base = threeStarts();
    rmSync(segmentPath(base, 1, segment));
    const before = readdirSync(join(base, "run-1"));
    expect(() => readJournal(base)).toThrow(corrupt);
    expect(readdirSync(join(base, "run-1"))).toEqual(before);
  });

  it.each(["plan.md", "snapshot.json", "out"])("is refused if all of it is missing, and %s is left", (left) => {
    const base = join(lastingFolder(), ".fixpoint");
    mkdirSync(join(base, "run-1"), { recursive: true });
    if (left === "out") mkdirSync(join(base, "run-1", left));
    else writeFileSync(join(base, "run-1", left), "");
    expect(() => readJournal(base)).toThrow(corrupt);
  });

  it("is refused if its segments are swapped", () => {
    const base = threeStarts();
    const [second, third] = [segmentPath(base, 1, 2), segmentPath(base, 1, 3)];
    const content = readFileSync(second);
    writeFileSync(second, readFileSync(third));
    writeFileSync(third, content);
    expect(() => readJournal(base)).toThrow(corrupt);
  });

  it("is refused if a segment has another number than its name", () => {
    const base = threeStarts();
    const [head = "", ...rest] = readFileSync(segmentPath(base, 1, 3), "utf8").split("\n");
    const { crc: _, ...header } = JSON.parse(head) as { crc: number };
    writeFileSync(segmentPath(base, 1, 3), `${sealLine({ ...header, segment: 4 })}${rest.join("\n")}`);
    expect(() => readJournal(base)).toThrow(corrupt);
  });
});
