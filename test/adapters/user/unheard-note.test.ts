import { mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeDataFolder } from "../../../src/adapters/files/data-folder.ts";
import { unheardNote } from "../../../src/adapters/user/unheard-note.ts";
import { temporaryFolder } from "../../support/folder.ts";

const by = { kind: "terminal", terminal: "/dev/pts/1", process: "bash", pid: 7 } as const;
const word = { word: "pause", key: "1.1#1", by };
const another = { ...word, word: "stop" };
function folder(): string {
  const base = join(temporaryFolder(), ".fixpoint");
  makeDataFolder(base);
  return base;
}
const notesIn = (base: string): string[] => readdirSync(base).filter((name) => name !== ".gitignore");

describe("a note of a refused message", () => {
  it("is there from when it is left until it is removed, whole, in the place of one before", () => {
    const base = folder();
    const note = unheardNote(base);
    expect([note.isThere(), note.read(), note.remove()]).toEqual([false, null, false]);
    note.leave(word);
    expect([note.isThere(), note.read(), notesIn(base)]).toEqual([true, word, ["unheard"]]);
    note.leave(another);
    expect(note.read()).toEqual(another);
    expect([note.remove(), note.isThere(), notesIn(base)]).toEqual([true, false, []]);
  });

  it.each(["", "{", "null", '{"word":"pause"}', JSON.stringify({ ...word, by: { ...by, pid: "7" } })])(
    "says nothing as %j",
    (text) => {
      const base = folder();
      writeFileSync(join(base, "unheard"), text);
      expect([unheardNote(base).isThere(), unheardNote(base).read()]).toEqual([true, null]);
    },
  );

  it("is not left in, or removed from, a folder behind a link", () => {
    const base = folder();
    const note = unheardNote(base);
    note.leave(word);
    renameSync(base, `${base}-old`);
    symlinkSync(`${base}-old`, base);
    for (const use of [() => note.leave(another), () => note.remove()]) {
      expect(use).toThrow(expect.objectContaining({ code: "file-refused" }));
    }
    expect(readFileSync(join(`${base}-old`, "unheard"), "utf8")).toBe(`${JSON.stringify(word)}\n`);
  });

  it("is refused with what was tried, and the path", () => {
    const base = folder();
    mkdirSync(join(base, "unheard", "within"), { recursive: true });
    const told = (verb: string, path: string) =>
      expect.objectContaining({ code: "file-refused", message: expect.stringContaining(`Cannot ${verb} \`${path}\``) });
    expect(() => unheardNote(base).leave(word)).toThrow(told("write", join(base, "unheard")));
    expect(() => unheardNote(base).remove()).toThrow(told("remove", join(base, "unheard")));
    const none = join(base, ".gitignore");
    expect(() => unheardNote(none).isThere()).toThrow(told("look at", join(none, "unheard")));
    expect(() => unheardNote(none).read()).toThrow(told("read", join(none, "unheard")));
  });
});
