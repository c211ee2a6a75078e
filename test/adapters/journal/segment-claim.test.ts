import { spawn } from "node:child_process";
import fs, { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { hostname } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { openJournal } from "../../../src/adapters/journal/journal.ts";
import { sealLine } from "../../../src/adapters/journal/journal-line.ts";
import { readFreeJournal } from "../../../src/adapters/journal/read-free-journal.ts";
import { readJournal, segmentPath } from "../../../src/adapters/journal/read-journal.ts";
import { identifyProcess } from "../../../src/adapters/processes/process-identity.ts";
import { readPolicy } from "../../../src/model/policy.ts";
import { noSeed } from "../../../src/model/run-seed.ts";
import { launch, runWords } from "../../support/cli.ts";
import { run } from "../../support/cli-here.ts";
import { lastingFolder, projectWith } from "../../support/project.ts";
import { sampleHeader } from "../../support/sample-header.ts";
import { delegations, journalPath, read } from "../../support/traces.ts";

const facts = { policy: readPolicy(), planHash: "", verifyHash: "", open: 1, seed: noSeed };
const spared = (key: string) => ({ type: "refunded", key }) as const;
const noTakeOver = { takeOver: false };
const preload = `--import ${resolve(import.meta.dirname, "../../support/refuse-links.mjs")}`;

const { linkSync, renameSync, statfsSync, statSync, writeFileSync: write } = fs;
function patch(changes: Partial<typeof fs>): void {
  Object.assign(fs, changes);
  syncBuiltinESMExports();
}
const refusing = (code: string) => (): never => {
  throw Object.assign(new Error(`${code}: refused, link`), { code, syscall: "link" });
};
afterEach(() => patch({ linkSync, renameSync, statfsSync, statSync, writeFileSync: write }));

describe("a journal where files cannot be linked", () => {
  it.each(["EPERM", "EOPNOTSUPP", "ENOTSUP", "ENOSYS", "EMLINK"])(
    "is begun and gone on with all the same (%s)",
    (code) => {
      patch({ linkSync: refusing(code) });
      const base = join(lastingFolder(), ".fixpoint");
      for (const key of ["a", "b"]) {
        const journal = openJournal(readFreeJournal(base, noTakeOver), 1, facts);
        journal.append([spared(key)], { durable: true });
        journal.close();
      }
      expect(readJournal(base).records.map((record) => "key" in record && record.key)).toEqual([
        "a",
        false,
        "b",
        false,
      ]);
      expect(readdirSync(join(base, "run-1")).sort()).toEqual(["journal-1.ndjson", "journal-2.ndjson"]);
    },
  );

  it("is that of the first of two who begin it", () => {
    patch({ linkSync: refusing("EPERM") });
    const base = join(lastingFolder(), ".fixpoint");
    const reading = readJournal(base);
    const winner = openJournal(reading, 1, facts);
    const locked = { code: "spec-locked", message: expect.stringContaining(`${process.pid}`) };
    expect(() => openJournal(reading, 1, facts)).toThrow(expect.objectContaining(locked));
    winner.checkFence();
    expect(readdirSync(join(base, "run-1"))).toEqual(["journal-1.ndjson"]);
  });

  it("is not begun where a link is refused for another reason", () => {
    patch({ linkSync: refusing("EIO") });
    const base = join(lastingFolder(), ".fixpoint");
    const told = { code: "file-refused", message: expect.stringMatching(/^Cannot write .*EIO/) };
    expect(() => openJournal(readJournal(base), 1, facts)).toThrow(expect.objectContaining(told));
    expect(readdirSync(join(base, "run-1"))).toEqual([]);
  });

  it("is not begun where its name is refused", () => {
    const open = fs.openSync;
    patch({
      linkSync: refusing("EPERM"),
      openSync: (path, flags, mode) => (flags === "ax" ? refusing("EIO")() : open(path, flags, mode)),
    });
    onTestFinished(() => patch({ openSync: open }));
    const base = join(lastingFolder(), ".fixpoint");
    const told = { code: "file-refused", message: expect.stringMatching(/^Cannot write .*EIO/) };
    expect(() => openJournal(readJournal(base), 1, facts)).toThrow(expect.objectContaining(told));
  });

  it("is that of another who has put the draft away", () => {
    patch({ linkSync: refusing("ENOENT") });
    const base = join(lastingFolder(), ".fixpoint");
    const told = { code: "spec-locked", message: expect.stringContaining("just had it"), hint: "Run again" };
    expect(() => openJournal(readJournal(base), 1, facts)).toThrow(expect.objectContaining(told));
  });

  it("leaves nothing behind when its first line cannot be written", () => {
    const base = join(lastingFolder(), ".fixpoint");
    const full = Object.assign(new Error("ENOSPC: no space left on device, write"), {
      code: "ENOSPC",
      syscall: "write",
    });
    patch({
      linkSync: refusing("EPERM"),
      writeFileSync: ((file: number | string, ...given: never[]) => {
        if (typeof file === "number") throw full;
        (write as (...all: unknown[]) => void)(file, ...given);
      }) as typeof write,
    });
    expect(() => openJournal(readJournal(base), 1, facts)).toThrow(expect.objectContaining({ code: "file-refused" }));
    expect(readdirSync(join(base, "run-1"))).toEqual([]);
  });

  it.each([
    [0x65735546, "FUSE"],
    [0x6969, "NFS"],
  ])("is refused where several may create one file, with the name of the file system (%i)", (type, name) => {
    patch({ linkSync: refusing("EPERM"), statfsSync: (() => ({ type })) as unknown as typeof statfsSync });
    const base = join(lastingFolder(), ".fixpoint");
    const told = expect.objectContaining({
      ...{ blame: "environment", code: "file-system-unsuited" },
      message: expect.stringContaining(`file system (${name})`),
      hint: expect.stringMatching(/^Put the spec on another file system/),
    });
    expect(() => openJournal(readJournal(base), 1, facts)).toThrow(told);
    expect(readdirSync(join(base, "run-1"))).toEqual([]);
  });
});

describe("a segment that was created and not written", () => {
  let base: string;
  beforeEach(() => {
    base = join(lastingFolder(), ".fixpoint");
    mkdirSync(join(base, "run-1"), { recursive: true });
  });
  const line = (more: object): string => sealLine({ ...sampleHeader, host: hostname(), ...more });
  const draft = (segment: number, mark: string, text: string): void =>
    writeFileSync(`${segmentPath(base, 1, segment)}-${mark}.tmp`, text);
  const dead = { pid: 2 ** 22 - 1, pidStart: "1" };

  it.each(["", "half"])("is written for a start that is dead, and its run gone on with (%s)", (written) => {
    const header = line(dead);
    writeFileSync(segmentPath(base, 1, 1), written === "" ? "" : header.slice(0, header.length / 2));
    draft(1, "1-0123abcd", header);
    draft(1, "2-0123abcd", header.slice(0, 20));
    expect(readJournal(base)).toMatchObject({ run: 0, segments: [] });
    const reading = readFreeJournal(base, noTakeOver);
    expect(readFileSync(segmentPath(base, 1, 1), "utf8")).toBe(header);
    const journal = openJournal(reading, 1, facts);
    expect(journal.segment).toBe(2);
    expect(readdirSync(journal.folder)).toEqual(["journal-1.ndjson", "journal-2.ndjson"]);
  });

  it.each([
    ["ENOENT", undefined],
    ["EACCES", "file-refused"],
  ])("may have been written by another start just then, and is refused otherwise: %s", (code, told) => {
    const header = line(dead);
    writeFileSync(segmentPath(base, 1, 1), "");
    draft(1, "1-0123abcd", header);
    patch({
      renameSync: (from, to) => {
        if (told === undefined) renameSync(from, to);
        throw Object.assign(new Error(`${code}: refused, rename`), { code, syscall: "rename" });
      },
    });
    const look = () => readFreeJournal(base, noTakeOver).segments;
    if (told === undefined) expect(look()).toHaveLength(1);
    else
      expect(look).toThrow(expect.objectContaining({ code: told, message: expect.stringContaining("Cannot write") }));
  });

  it("counts as far as it was written when it was found that nobody holds it", () => {
    const journal = openJournal(readJournal(base), 1, facts);
    for (const key of ["a", "b"]) journal.append([spared(key)], { durable: false });
    journal.close();
    const path = segmentPath(base, 1, 1);
    const lines = readFileSync(path, "utf8").split("\n");
    writeFileSync(path, [lines[0], lines[1], sealLine({ n: 2, at: 0, records: [{ type: "released" }] })].join("\n"));
    patch({
      statSync: ((...given: Parameters<typeof statSync>) => {
        patch({ statSync });
        writeFileSync(path, lines.join("\n"));
        return statSync(...given);
      }) as typeof statSync,
    });
    expect(readFreeJournal(base, noTakeOver).records).toHaveLength(3);
  });

  it("is none once it is written, whoever else has tried to begin it", () => {
    const journal = openJournal(readJournal(base), 1, facts);
    journal.close();
    draft(1, "1-0123abcd", line({ ...identifyProcess(process.pid) }));
    expect(readJournal(base)).toMatchObject({ run: 1, segments: [{}] });
    expect(readFreeJournal(base, noTakeOver).segments).toHaveLength(1);
  });

  it("is no part of a journal that somebody looks at, who changes nothing", () => {
    const first = openJournal(readJournal(base), 1, facts);
    first.append([spared("a")], { durable: false });
    first.close();
    writeFileSync(segmentPath(base, 1, 2), "");
    draft(2, "1-0123abcd", line({ ...dead, segment: 2, after: { segment: 1, bytes: 1 } }));
    const before = readdirSync(join(base, "run-1"));
    expect(readJournal(base)).toMatchObject({ run: 1, segments: [{ header: { segment: 1 } }] });
    expect(readdirSync(join(base, "run-1"))).toEqual(before);
  });

  it("belongs to a start that is alive, which is named", () => {
    const child = spawn("sleep", ["60"]);
    onTestFinished(() => void child.kill("SIGKILL"));
    const alive = identifyProcess(child.pid as number);
    writeFileSync(segmentPath(base, 1, 1), "");
    draft(1, "1-0123abcd", line(dead));
    draft(1, "2-0123abcd", line({ ...alive }));
    const locked = { code: "spec-locked", message: expect.stringContaining(`process ${child.pid}`) };
    expect(() => readFreeJournal(base, noTakeOver)).toThrow(expect.objectContaining(locked));
    expect(readFileSync(segmentPath(base, 1, 1), "utf8")).toBe("");
  });

  it("belongs to a start on another machine until that is taken over", () => {
    writeFileSync(segmentPath(base, 1, 1), "");
    draft(1, "1-0123abcd", line({ ...dead, host: "elsewhere" }));
    const elsewhere = expect.objectContaining({ code: "spec-on-other-host" });
    expect(() => readFreeJournal(base, noTakeOver)).toThrow(elsewhere);
    expect(readFreeJournal(base, { takeOver: true }).segments).toHaveLength(1);
  });

  it("is damaged when nothing says who has created it", () => {
    writeFileSync(segmentPath(base, 1, 1), "");
    const corrupt = expect.objectContaining({ code: "journal-corrupt" });
    expect(() => readFreeJournal(base, noTakeOver)).toThrow(corrupt);
    draft(1, "1-0123abcd", line(dead).slice(0, 30));
    expect(() => readFreeJournal(base, noTakeOver)).toThrow(corrupt);
  });
});

describe.concurrent("a run where files cannot be linked", () => {
  it("comes to its end behind a start that was killed as it began", async () => {
    const project = projectWith();
    const env = { NODE_OPTIONS: preload, REFUSE_LINKS: "EOPNOTSUPP" };
    const words = runWords(project, "--yes");
    for (const segment of [1, 2]) {
      const killed = await launch(project.workspace, words, { ...env, DIE_AT_CLAIM: "1" }).end;
      expect(killed.signal).toBe("SIGKILL");
      expect(read(journalPath(project, segment))).toBe("");
    }
    const { exitCode, err } = await launch(project.workspace, words, env).end;
    expect({ exitCode, err }).toEqual({ exitCode: 0, err: "" });
    expect(delegations(project)).toEqual(["1.1#1", "1.2#1"]);
    expect(existsSync(journalPath(project, 3))).toBe(true);
    // What is on such a file system may be gone on with on any other.
    expect((await run(project)).exitCode).toBe(0);
  });

  it("is that of one of several who begin it at once", async () => {
    const project = projectWith({ script: "until [ -e go ]; do sleep 0.05; done; touch one two; made" });
    let ended = 0;
    const starts = Array.from({ length: 4 }, async () => {
      const end = await launch(project.workspace, runWords(project, "--yes"), { NODE_OPTIONS: preload }).end;
      ended += 1;
      // The winner works until the others have gone.
      if (ended === 3) writeFileSync(join(project.workspace, "go"), "");
      return end.exitCode;
    });
    expect((await Promise.all(starts)).sort()).toEqual([0, 4, 4, 4]);
    expect(delegations(project)).toEqual(["1.1#1", "1.2#1"]);
  });
});
