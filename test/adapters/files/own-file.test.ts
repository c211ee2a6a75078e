import { linkSync, lstatSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { readStateFile } from "../../../src/adapters/documents/state-file.ts";
import { lookAtOwn, withOwn } from "../../../src/adapters/files/own-file.ts";
import { readOwnFile } from "../../../src/adapters/files/read-own-file.ts";
import { readJournal, segmentPath } from "../../../src/adapters/journal/read-journal.ts";
import { readSnapshot } from "../../../src/adapters/journal/snapshot.ts";
import { openOutput, outputPaths, readTail } from "../../../src/adapters/processes/open-output.ts";
import { shell } from "../../../src/adapters/shell.ts";
import { findSpec } from "../../../src/hosts/node/find-spec.ts";
import { readStatus } from "../../../src/hosts/node/reading/read-status.ts";
import { readPolicy } from "../../../src/model/policy.ts";
import { temporaryFolder } from "../../support/folder.ts";
import { takeJournal } from "../../support/forced-lease.ts";
import { openIn } from "../../support/open-in.ts";
import { specialFiles } from "../../support/special-files.ts";

const facts = { policy: readPolicy(), planHash: "", verifyHash: "", open: 1 };

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

  it("is refused as the state file, and does not block", () => {
    expect(() => readStateFile(at(".ralph-state.json"))).toThrow(refusal);
  });

  it("is refused as a segment of a journal", () => {
    const base = join(temporaryFolder(), ".fixpoint");
    mkdirSync(join(base, "run-1"), { recursive: true });
    make(segmentPath(base, 1, 1));
    expect(() => readJournal(base)).toThrow(refusal);
  });

  it("is refused as a new segment", () => {
    const base = join(temporaryFolder(), ".fixpoint");
    const reading = readJournal(base);
    mkdirSync(join(base, "run-1"), { recursive: true });
    make(segmentPath(base, 1, 1));
    expect(() => takeJournal(reading, 1, facts)).toThrow(refusal);
  });

  it("is ignored as a snapshot", () => {
    const folder = temporaryFolder();
    make(join(folder, "snapshot.json"));
    expect(readSnapshot(folder)).toBeNull();
  });

  it("is refused as an output to be written", () => {
    const message = expect.stringContaining("expected a regular file that can be written");
    expect(() => openOutput(at("x.out"))).toThrow(expect.objectContaining({ code: "output-not-opened", message }));
  });

  it("is refused as an output to be read", async () => {
    const message = expect.stringContaining("expected a regular file");
    expect(() => readTail(at("x.out"), 10)).toThrow(expect.objectContaining({ code: "output-unreadable", message }));
    const outputFolder = temporaryFolder();
    make(outputPaths(outputFolder, "x").stdout);
    expect(await shell({ workspace: outputFolder, outputFolder }).readKept?.("x", () => {})).toBe(false);
  });
});

describe("a pipe in place of a plan, or of the name of the active spec", () => {
  const pipe = specialFiles.find(([found]) => found === "a named pipe")?.[1] as (path: string) => void;
  const refusal = expect.objectContaining({ code: "file-refused", message: expect.stringContaining("a named pipe") });

  it("does not block", () => {
    const folder = temporaryFolder();
    pipe(join(folder, "tasks.md"));
    expect(() => readStatus(folder)).toThrow(refusal);
    mkdirSync(join(folder, "specs"));
    pipe(join(folder, "specs", ".current-spec"));
    expect(() => findSpec(undefined, folder)).toThrow(refusal);
  });
});

describe("a file of unknown origin", () => {
  const longest = 1024 * 1024;
  const put = (content: string): string => {
    const path = join(temporaryFolder(), "a");
    writeFileSync(path, content);
    return path;
  };

  it.each([
    ["all of it", "a\nb", "a\nb"],
    ["none", "", ""],
    ["a MiB without an end", "a".repeat(longest), "a".repeat(longest)],
    ["the whole lines of its first MiB", `${"a".repeat(longest - 2)}\nb\n`, `${"a".repeat(longest - 2)}\n`],
    ["the lines of its first MiB", `${"a".repeat(longest - 1)}\n\n`, `${"a".repeat(longest - 1)}\n`],
    ["nothing of a line that is longer", "a".repeat(longest + 1), ""],
  ])("is read up to a MiB: %s", (_, content, read) => {
    const path = put(content);
    expect(readOwnFile(path) === read).toBe(true);
    expect(openIn(dirname(path))).toBe(0);
  });

  it("is ignored with another name, no name, or too long a name", () => {
    const path = put("a");
    expect(readOwnFile(join(path, "..", "b".repeat(300)))).toBeNull();
    expect(readOwnFile(join(path, "..", "b"))).toBeNull();
    linkSync(path, join(path, "..", "b"));
    expect(readOwnFile(path)).toBeNull();
    expect(() => readOwnFile(join(path, "c"))).toThrow("ENOTDIR");
  });
});

describe("a document that is a hard link of another file", () => {
  it("is refused, and its descriptor closed", () => {
    const folder = temporaryFolder();
    const path = join(folder, "tasks.md");
    writeFileSync(path, "kept");
    const look = () => lookAtOwn(path, folder, lstatSync(path, { bigint: true }));
    expect(withOwn(look().target, "read", (file) => readFileSync(file, "utf8"))).toBe("kept");
    linkSync(path, join(folder, "other"));
    const told = { code: "file-refused", message: expect.stringContaining("not a hard link to another") };
    expect(look).toThrow(expect.objectContaining(told));
    expect(() => withOwn(path, "read", () => "")).toThrow(expect.objectContaining(told));
    expect(openIn(folder)).toBe(0);
  });

  it("is refused if a link leads out of its folder", () => {
    const [folder, outside] = [temporaryFolder(), temporaryFolder()];
    const path = join(folder, "tasks.md");
    writeFileSync(join(outside, "tasks.md"), "");
    symlinkSync(join(outside, "tasks.md"), path);
    const told = { code: "file-refused", message: expect.stringContaining("not a link out of it") };
    expect(() => lookAtOwn(path, folder, lstatSync(path, { bigint: true }))).toThrow(expect.objectContaining(told));
  });
});

describe("an output that is a hard link of another file", () => {
  it("is refused, and the other file is unchanged", () => {
    const folder = temporaryFolder();
    const victim = join(folder, "victim");
    writeFileSync(victim, "kept");
    linkSync(victim, join(folder, "x.out"));
    expect(() => openOutput(join(folder, "x.out"))).toThrow(expect.objectContaining({ code: "output-not-opened" }));
    expect(readTail(victim, 10)).toBe("kept");
    expect(openIn(folder)).toBe(0);
  });
});
