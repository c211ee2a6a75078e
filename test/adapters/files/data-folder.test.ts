import { linkSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeDataFolder } from "../../../src/adapters/files/folder.ts";
import { markOf, readJournal } from "../../../src/adapters/journal/read-journal.ts";
import { refuseLocked, takeSpecLease } from "../../../src/adapters/lease/spec-lease.ts";
import { rejectedNote } from "../../../src/adapters/user/inbox.ts";
import { temporaryFolder } from "../../support/folder.ts";
import { openIn } from "../../support/open-in.ts";
import { specialFiles } from "../../support/special-files.ts";
import { contentOf } from "../../support/traces.ts";
import { unknownSpeaker } from "../../support/unknown-speaker.ts";

const refusal = (found: string) => ({
  blame: "environment",
  code: "file-refused",
  message: expect.stringContaining(`found ${found}`),
  hint: expect.stringContaining("Move it away"),
});
const places = [".fixpoint", ".fixpoint/run-1", ".fixpoint/run-1/out", ".fixpoint/run-2"];

describe("a folder of run data", () => {
  it.each(places)("T10, I23: is not a link at %s, and nothing is read, created or removed in its target", (place) => {
    const spec = temporaryFolder();
    const victim = join(temporaryFolder(), "victim");
    mkdirSync(join(victim, "run-1", "out"), { recursive: true });
    for (const name of ["a.tmp", "x.ndjson.5", "pause", "state-1-0123abcd.tmp", "run-1/x.tmp"]) {
      writeFileSync(join(victim, name), "kept");
    }
    mkdirSync(join(spec, place, ".."), { recursive: true });
    symlinkSync(victim, join(spec, place));
    const before = contentOf(victim);
    const base = join(spec, ".fixpoint");
    const uses = [
      () => readJournal(base),
      () => markOf(base),
      () => makeDataFolder(base),
      () => rejectedNote(base).leave({ word: "pause", key: "1.1#1", by: unknownSpeaker }),
      () => rejectedNote(base).remove(),
    ];
    for (const use of uses) expect(use).toThrow(expect.objectContaining(refusal("a symbolic link")));
    expect(contentOf(victim)).toEqual(before);
  });

  it("is not a link in place of the lease, and nothing is created or removed there", () => {
    const victim = temporaryFolder();
    const base = join(temporaryFolder(), ".fixpoint");
    makeDataFolder(base);
    symlinkSync(victim, join(base, "lease"));
    for (const use of [takeSpecLease, refuseLocked]) {
      expect(() => use(base, { takeOver: false })).toThrow(expect.objectContaining(refusal("a symbolic link")));
    }
    expect(readdirSync(victim)).toEqual([]);
  });

  it.each(specialFiles.filter(([found]) => found !== "a folder"))("is not %s", (found, make) => {
    const base = join(temporaryFolder(), ".fixpoint");
    make(base);
    for (const use of [() => readJournal(base), () => makeDataFolder(base)]) {
      expect(use).toThrow(expect.objectContaining(refusal(found)));
    }
  });

  it.each(specialFiles)("does not block, and writes nothing, if its .gitignore is %s", (found, make) => {
    const base = join(temporaryFolder(), ".fixpoint");
    mkdirSync(base);
    make(join(base, ".gitignore"));
    const told = { code: "file-refused", message: expect.stringContaining(`found ${found}`) };
    expect(() => makeDataFolder(base)).toThrow(expect.objectContaining(told));
  });

  it("does not change an empty .gitignore that is a hard link, and leaves none open", () => {
    const base = join(temporaryFolder(), ".fixpoint");
    mkdirSync(base);
    writeFileSync(join(base, "..", "other"), "");
    linkSync(join(base, "..", "other"), join(base, ".gitignore"));
    const before = openIn(base);
    makeDataFolder(base);
    expect([readFileSync(join(base, "..", "other"), "utf8"), openIn(base)]).toEqual(["", before]);
  });

  it("keeps a .gitignore with other content, and completes one that a killed start left empty", () => {
    const base = join(temporaryFolder(), ".fixpoint");
    makeDataFolder(base);
    expect(readFileSync(join(base, ".gitignore"), "utf8")).toBe("*\n");
    for (const [old, now] of [
      ["out\n", "out\n"],
      ["", "*\n"],
    ] as const) {
      writeFileSync(join(base, ".gitignore"), old);
      makeDataFolder(base);
      expect(readFileSync(join(base, ".gitignore"), "utf8")).toBe(now);
    }
  });
});
