import { linkSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openJournal, readJournal, segmentPath } from "../../src/adapters/journal.ts";
import { readSum } from "../../src/adapters/journal-sum.ts";
import { openOutput } from "../../src/adapters/open-output.ts";
import { outputPaths } from "../../src/adapters/output-paths.ts";
import { readTail } from "../../src/adapters/read-tail.ts";
import { shell } from "../../src/adapters/shell.ts";
import { readStateFile } from "../../src/adapters/state-file.ts";
import { findSpec } from "../../src/hosts/node/find-spec.ts";
import { keptPlan, knownBases } from "../../src/hosts/node/known-base.ts";
import { readStatus } from "../../src/hosts/node/read-status.ts";
import { completePolicy } from "../../src/model/policy.ts";
import { temporaryFolder } from "../support/folder.ts";
import { specialFiles } from "../support/special-files.ts";

const facts = { policy: completePolicy(), planHash: "", verifyHash: "", open: 1 };
const bases = (folder: string) => knownBases({ folder, segment: 1, checkFence: () => {} });

describe.each(specialFiles)("%s", (found, make) => {
  const refusal = expect.objectContaining({
    blame: "environment",
    code: "file-refused",
    message: expect.stringContaining(`found ${found}`),
  });
  const at = (name: string): string => {
    const path = join(temporaryFolder(), name);
    make(path);
    return path;
  };

  it("is refused as the state file, and keeps nobody waiting", () => {
    expect(() => readStateFile(at(".ralph-state.json"))).toThrow(refusal);
  });

  it("is refused as a segment of a journal", () => {
    const base = join(temporaryFolder(), ".fixpoint");
    mkdirSync(join(base, "run-1"), { recursive: true });
    make(segmentPath(base, 1, 1));
    expect(() => readJournal(base)).toThrow(refusal);
  });

  it("is refused as the segment that is to be begun", () => {
    const base = join(temporaryFolder(), ".fixpoint");
    const reading = readJournal(base);
    mkdirSync(join(base, "run-1"), { recursive: true });
    make(segmentPath(base, 1, 1));
    expect(() => openJournal(reading, 1, facts)).toThrow(refusal);
  });

  it("counts for nothing as a sum", () => {
    const folder = temporaryFolder();
    make(join(folder, "sum-1.json"));
    expect(readSum(folder, 1, 1)).toBeNull();
  });

  it("is refused as a plan that was kept", () => {
    const folder = temporaryFolder();
    make(keptPlan(folder, 1));
    expect(() => bases(folder).find(1)).toThrow(refusal);
    expect(bases(folder).find(2)).toBeNull();
  });

  it("is refused as an output that is to be written", () => {
    const message = expect.stringContaining("expected a file of its own");
    expect(() => openOutput(at("x.out"))).toThrow(expect.objectContaining({ code: "output-not-opened", message }));
  });

  it("is refused as an output that is to be read", async () => {
    const message = expect.stringContaining("expected a regular file");
    expect(() => readTail(at("x.out"), 10)).toThrow(expect.objectContaining({ code: "output-unreadable", message }));
    const outputFolder = temporaryFolder();
    make(outputPaths(outputFolder, "x").stdout);
    expect(await shell({ workspace: outputFolder, outputFolder }).readKept?.("x", () => {})).toBe(false);
  });
});

describe("a pipe in the place of a plan, or of the name of the active spec", () => {
  const pipe = specialFiles.find(([found]) => found === "a named pipe")?.[1] as (path: string) => void;
  const refusal = expect.objectContaining({ code: "file-refused", message: expect.stringContaining("a named pipe") });

  it("keeps nobody waiting", () => {
    const folder = temporaryFolder();
    pipe(join(folder, "tasks.md"));
    expect(() => readStatus(folder)).toThrow(refusal);
    mkdirSync(join(folder, "specs"));
    pipe(join(folder, "specs", ".current-spec"));
    expect(() => findSpec(undefined, folder)).toThrow(refusal);
  });
});

describe("an output that is a hard link of another file", () => {
  it("is refused, and the other file keeps what it holds", () => {
    const folder = temporaryFolder();
    const victim = join(folder, "victim");
    writeFileSync(victim, "kept");
    linkSync(victim, join(folder, "x.out"));
    expect(() => openOutput(join(folder, "x.out"))).toThrow(expect.objectContaining({ code: "output-not-opened" }));
    expect(readTail(victim, 10)).toBe("kept");
  });
});
