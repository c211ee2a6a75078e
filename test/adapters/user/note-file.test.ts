import { mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeDataFolder } from "../../../src/adapters/files/data-folder.ts";
import { stopNote, unheardNote } from "../../../src/adapters/user/note-file.ts";
import { pauseFile } from "../../../src/adapters/user/pause-file.ts";
import { unknownSpeaker } from "../../../src/model/speaker.ts";
import { temporaryFolder } from "../../support/folder.ts";

const by = { terminal: "/dev/pts/1", process: "bash", pid: 7 };
const another = { ...by, pid: 8 };
function folder(): string {
  const base = join(temporaryFolder(), ".fixpoint");
  makeDataFolder(base);
  return base;
}
const notesIn = (base: string): string[] => readdirSync(base).filter((name) => name !== ".gitignore");

describe("a note to a coordinator", () => {
  it("is there from when it is left until it is removed, whole, in the place of one before", () => {
    const base = folder();
    const note = stopNote(base);
    expect([note.isThere(), note.read(), note.remove()]).toEqual([false, null, false]);
    note.leave(by);
    expect([note.isThere(), note.read(), notesIn(base)]).toEqual([true, by, ["stop"]]);
    note.leave(another);
    expect(note.read()).toEqual(another);
    expect([note.remove(), note.isThere(), notesIn(base)]).toEqual([true, false, []]);
    const word = { word: "pause", key: "1.1#1", by };
    unheardNote(base).leave(word);
    expect([unheardNote(base).read(), notesIn(base)]).toEqual([word, ["unheard"]]);
  });

  it.each(["", "{", "null", '{"terminal":null}', JSON.stringify({ ...by, pid: "7" })])("says nothing as %j", (text) => {
    const base = folder();
    writeFileSync(join(base, "stop"), text);
    expect([stopNote(base).isThere(), stopNote(base).read()]).toEqual([true, null]);
  });

  it("is not left in, or removed from, a folder behind a link", () => {
    const base = folder();
    const note = stopNote(base);
    note.leave(by);
    renameSync(base, `${base}-old`);
    symlinkSync(`${base}-old`, base);
    for (const use of [() => note.leave(another), () => note.remove()]) {
      expect(use).toThrow(expect.objectContaining({ code: "file-refused" }));
    }
    expect(readFileSync(join(`${base}-old`, "stop"), "utf8")).toBe(`${JSON.stringify(by)}\n`);
  });

  it("is refused with what was tried, and the path", () => {
    const base = folder();
    mkdirSync(join(base, "stop", "within"), { recursive: true });
    const told = (verb: string, path: string) =>
      expect.objectContaining({ code: "file-refused", message: expect.stringContaining(`Cannot ${verb} \`${path}\``) });
    expect(() => stopNote(base).leave(by)).toThrow(told("write", join(base, "stop")));
    expect(() => stopNote(base).remove()).toThrow(told("remove", join(base, "stop")));
    const none = join(base, ".gitignore");
    expect(() => stopNote(none).isThere()).toThrow(told("look at", join(none, "stop")));
    expect(() => stopNote(none).read()).toThrow(told("read", join(none, "stop")));
  });
});

describe("a pause", () => {
  it("says who has wished it, first, and who has let the run go on, last", () => {
    const base = folder();
    const pause = pauseFile(base);
    expect([pause.pausedBy(), pause.resumedBy()]).toEqual([unknownSpeaker, unknownSpeaker]);
    pause.pause(by);
    pause.pause(another);
    expect([pause.pausedBy(), pause.resumedBy()]).toEqual([by, unknownSpeaker]);
    expect(pause.resume(another)).toBe(true);
    expect([pause.pausedBy(), pause.resumedBy(), notesIn(base)]).toEqual([unknownSpeaker, another, ["resume"]]);
    pause.pause();
    expect([pause.pausedBy(), notesIn(base)]).toEqual([unknownSpeaker, ["pause"]]);
  });

  it.each([
    ["somebody unknown lets it go on", true, undefined],
    ["somebody lets go on what was not paused", false, by],
  ])("leaves no name of before when %s", (_, paused, resumedBy) => {
    const base = folder();
    const pause = pauseFile(base);
    pause.pause(by);
    pause.resume(another);
    if (paused) writeFileSync(join(base, "pause"), "");
    expect(pause.resume(resumedBy)).toBe(paused);
    expect(notesIn(base)).toEqual([]);
  });
});
