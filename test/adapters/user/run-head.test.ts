import fs, {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { sealLine } from "../../../src/adapters/journal/journal-line.ts";
import { beginHead, openHead, readHead } from "../../../src/adapters/user/run-head.ts";
import type { RunRecord } from "../../../src/model/record.ts";
import { noSeed } from "../../../src/model/run-seed.ts";
import { temporaryFolder } from "../../support/folder.ts";

const none = { iterations: 0, elapsedMs: 0, costUsd: 0, tokens: 0 };
const end = (bytes: number) => ({ segment: 1, bytes, crc: bytes + 1 });
const spared: RunRecord = { type: "refunded", key: "a" };
const delegated = (task: string, attempt: number, role: "executor" | "operator" | "reviewer" = "executor") =>
  ({ type: "delegated", key: `${task}#${attempt}`, task, role, attempt, retries: attempt - 1, elapsedMs: 0 }) as const;
const intended = { type: "intended", key: "1.1#1", fix: { id: "1.1.1", fixOf: "1.1" } } as unknown as RunRecord;
const ended = (outcome: string) => ({ type: "ended", ending: { outcome } }) as unknown as RunRecord;

/** What is known of a run once such records were noted, each with what was spent before it. */
function noted(...notes: readonly (readonly [RunRecord, Partial<typeof none>?])[]) {
  const folder = temporaryFolder();
  beginHead(folder, 1);
  const head = openHead(folder, 1);
  for (const [index, [record, before]] of notes.entries()) head.note(end(index + 1), [record], { ...none, ...before });
  head.close();
  return { folder, path: join(folder, "run-1.head"), read: () => readHead(folder) };
}

describe("the head of a run", () => {
  it("is none before a run was begun, and says nothing but its number then", () => {
    const folder = temporaryFolder();
    expect(readHead(folder)).toBeNull();
    beginHead(folder, 3);
    expect(readHead(folder)).toEqual({ run: 3, end: null, complete: false, seed: noSeed });
    expect(statSync(join(folder, "run-3.head")).mode & 0o777).toBe(0o600);
  });

  it("says where the journal ended with the last line", () => {
    expect(noted([spared], [spared]).read()).toMatchObject({ run: 1, end: end(2), complete: false });
  });

  it("is kept when its run goes on, and goes with the next one", () => {
    const { folder, read } = noted([spared]);
    beginHead(folder, 1);
    expect(read()).toMatchObject({ run: 1, end: end(1) });
    const others = ["consent.json", "run-1.head.old", "a-run-1.head", "run-x.head"];
    for (const other of others) writeFileSync(join(folder, other), "");
    for (const run of [10, 9]) {
      beginHead(folder, run);
      expect(readdirSync(folder).sort()).toEqual([...others, `run-${run}.head`].sort());
    }
  });

  it("is that of the latest run where several are left", () => {
    const { folder } = noted([spared]);
    for (const run of [9, 10, 2]) writeFileSync(join(folder, `run-${run}.head`), "");
    mkdirSync(join(folder, "run-11.head.d"));
    expect(readHead(folder)?.run).toBe(10);
  });

  it.each([
    ["complete", true],
    ["stopped", false],
  ])("tells whether the run was complete: %s", (outcome, complete) => {
    expect(noted([spared], [ended(outcome)]).read()).toMatchObject({ complete });
    expect(noted([ended(outcome)], [spared]).read()).toMatchObject({ complete: false });
  });

  it("has of each count the highest that was noted", () => {
    const { read } = noted(
      [spared, { iterations: 7, elapsedMs: 10, costUsd: 0.5, tokens: 3 }],
      [spared, { iterations: 5, elapsedMs: 20, costUsd: 0.25, tokens: 9 }],
    );
    expect(read()?.seed).toEqual({ ...noSeed, iterations: 7, elapsedMs: 20, costUsd: 0.5, tokens: 9 });
  });

  it("counts a delegation with its line, and an attempt of the task for who does it", () => {
    const { read } = noted(
      [delegated("1.1", 1)],
      [delegated("1.1", 2), { iterations: 1 }],
      [delegated("1.2", 4, "operator"), { iterations: 2 }],
      [delegated("1.2", 5, "reviewer"), { iterations: 3 }],
    );
    const tasks = { "1.1": { attempts: 2, retries: 1, fixes: [] } };
    expect(read()?.seed).toEqual({ ...noSeed, iterations: 4, tasks });
  });

  it("has the fix tasks that were made", () => {
    const tasks = { "1.1": { attempts: 1, retries: 0, fixes: ["1.1.1"] } };
    expect(noted([delegated("1.1", 1)], [intended, { iterations: 1 }]).read()?.seed.tasks).toEqual(tasks);
    expect(noted([intended]).read()?.seed).toEqual({
      ...noSeed,
      tasks: { "1.1": { attempts: 0, retries: 0, fixes: ["1.1.1"] } },
    });
  });

  it("leaves out lines that are torn, altered or of another form, and none behind them", () => {
    const { path, read } = noted([spared, { iterations: 1 }], [spared, { iterations: 2 }], [spared, { iterations: 3 }]);
    const lines = readFileSync(path, "utf8").split("\n");
    const [first = "", second = "", third = ""] = lines;
    const broken = [second.slice(0, 40), second.replace('"iterations":2', '"iterations":9'), "", "{}"];
    const sealed = [sealLine({}), sealLine({ ...JSON.parse(second), iterations: "9" })].map((line) => line.trimEnd());
    for (const line of [...broken, ...sealed]) {
      writeFileSync(path, [first, line, third, ""].join("\n"));
      expect(read()).toMatchObject({ end: end(3), seed: { iterations: 3 } });
      writeFileSync(path, [first, line].join("\n"));
      expect(read()).toMatchObject({ end: end(1), seed: { iterations: 1 } });
    }
  });

  it("counts a last line that lacks its line ending only, and none that lacks more", () => {
    const { path, read } = noted([spared, { iterations: 1 }], [spared, { iterations: 2 }]);
    const { size } = statSync(path);
    truncateSync(path, size - 1);
    expect(read()).toMatchObject({ end: end(2), seed: { iterations: 2 } });
    truncateSync(path, size - 2);
    expect(read()).toMatchObject({ end: end(1), seed: { iterations: 1 } });
  });

  it.each([10, 5000, 70_000, 1_200_000])(
    "has its last line before %d bytes of a torn one, and with as many in it",
    (many) => {
      const { path, read } = noted([spared], [ended("x".repeat(many))]);
      expect(read()).toMatchObject({ end: end(2) });
      appendFileSync(path, "x".repeat(many));
      expect(read()).toMatchObject({ end: end(2) });
      writeFileSync(path, readFileSync(path, "utf8").replace("x", "y"));
      expect(read()).toMatchObject({ end: end(1) });
    },
  );

  it("goes on behind what was noted before", () => {
    const { folder, path, read } = noted([spared, { tokens: 5 }]);
    appendFileSync(path, "torn\n");
    const head = openHead(folder, 1);
    head.note(end(2), [spared], none);
    head.close();
    expect(read()).toMatchObject({ end: end(2), seed: { tokens: 5 } });
  });

  it("lags behind where it cannot be written, and holds nobody up", () => {
    const { folder, read } = noted([spared]);
    const head = openHead(folder, 1);
    const { writeSync } = fs;
    const write = (by: typeof writeSync): void => {
      fs.writeSync = by;
      syncBuiltinESMExports();
    };
    onTestFinished(() => write(writeSync));
    write(() => {
      throw Object.assign(new Error("ENOSPC"), { code: "ENOSPC" });
    });
    head.note(end(2), [spared], none);
    expect(read()).toMatchObject({ end: end(1) });
    write(writeSync);
    head.note(end(3), [spared], none);
    head.close();
    expect(read()).toMatchObject({ end: end(3) });
  });

  it("is refused with its path where it cannot be read or opened", () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "run-1.head"));
    const told = (verb: string) =>
      expect.objectContaining({
        code: "file-refused",
        message: expect.stringContaining(`Cannot ${verb} \`${join(folder, "run-1.head")}\``),
      });
    expect(() => readHead(folder)).toThrow(told("read"));
    expect(() => openHead(folder, 1)).toThrow(told("write"));
    expect(() => beginHead(folder, 1)).toThrow(told("write"));
    const gone = join(folder, "gone");
    const message = expect.stringContaining(`Cannot read \`${gone}\``);
    expect(() => readHead(gone)).toThrow(expect.objectContaining({ code: "file-refused", message }));
  });

  it("is refused as a link that leads nowhere", () => {
    const folder = temporaryFolder();
    fs.symlinkSync(join(folder, "gone"), join(folder, "run-1.head"));
    expect(() => readHead(folder)).toThrow(expect.objectContaining({ code: "file-refused" }));
  });

  it("is none where another process removes it while it is read", () => {
    const { path, read } = noted([spared]);
    const { openSync } = fs;
    const open = (by: typeof openSync): void => {
      fs.openSync = by;
      syncBuiltinESMExports();
    };
    onTestFinished(() => open(openSync));
    open((...given) => {
      fs.rmSync(path, { force: true });
      return openSync(...given);
    });
    expect(read()).toBeNull();
  });
});
