import { linkSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  readStateFile,
  removeStateFile,
  type StateReading,
  stateCorrupt,
  stateFileView,
} from "../../../src/adapters/documents/state-file.ts";
import { specFiles } from "../../../src/adapters/files/spec-files.ts";
import { ExecutionState } from "../../../src/model/execution-state.ts";
import { temporaryFolder } from "../../support/folder.ts";
import { specialFiles } from "../../support/special-files.ts";

const state = ExecutionState.parse({ phase: "execution", taskIndex: 1, totalTasks: 3 });
const later = { ...state, taskIndex: 2, globalIteration: 7 };
const textOf = (shown: ExecutionState) => `${JSON.stringify(shown, undefined, 2)}\n`;

function sample({ checkFence = () => {}, checkHeld = () => {} } = {}) {
  const folder = temporaryFolder();
  const path = join(folder, ".ralph-state.json");
  const file = stateFileView(path, specFiles(folder, { checkFence, checkHeld }));
  const read = () => readFileSync(path, "utf8");
  const names = () => readdirSync(folder);
  return { folder, path, file, read, names, replace: () => file.replace(() => state) };
}

describe("a state file", () => {
  it("is read as written, and missing once it is removed", async () => {
    const { path, read, names, replace } = sample();
    expect(readStateFile(path)).toEqual({ kind: "absent" });
    await replace();
    expect(readStateFile(path)).toMatchObject({ kind: "read", state });
    expect(read()).toBe(textOf(state));
    expect(names()).toEqual([".ralph-state.json"]);
    for (const _ of [1, 2]) removeStateFile(path);
    expect(names()).toEqual([]);
  });

  it.each(["update", "replace"] as const)("is read again, with changes of others, before each %s", async (change) => {
    const { path, file } = sample();
    const found = async (): Promise<StateReading> => {
      let reading: StateReading | undefined;
      await file[change]((there) => {
        reading = there;
        return state;
      });
      return reading as StateReading;
    };
    expect(await found()).toEqual({ kind: "absent" });
    expect(await found()).toEqual(readStateFile(path));
    for (const content of ['{"phase":"execution","taskIndex":2,"own":[1]}', '{"phase":"execution"}', "{"]) {
      writeFileSync(path, content);
      const there = readStateFile(path);
      expect(await found()).toEqual(there);
    }
    removeStateFile(path);
    expect(await found()).toEqual({ kind: "absent" });
  });

  it("is not parsed again while its bytes are unchanged, whoever reads it", async () => {
    const { path, read } = sample();
    writeFileSync(path, '{"taskIndex":1}');
    const known = readStateFile(path);
    expect(readStateFile(path, known)).toBe(known);
    const file = stateFileView(path, specFiles(dirname(path)), known);
    await file.update((found) => {
      expect(found).toBe(known);
      return state;
    });
    const seen: StateReading[] = [];
    for (const shown of [later, later]) {
      await file.update((found) => {
        seen.push(found);
        return shown;
      });
    }
    expect(seen.map((each) => each.kind === "read" && each.state)).toEqual([state, later]);
    expect([seen[0], seen[1]]).toEqual([expect.objectContaining({ state }), expect.objectContaining({ state: later })]);
    expect(read()).toBe(textOf(later));
    writeFileSync(path, '{"taskIndex":2}');
    expect(readStateFile(path, known)).toMatchObject({ state: { taskIndex: 2 } });
  });

  it("gets changed digits at once, in place and without a change of its length", async () => {
    const { path, file, read, names, replace } = sample();
    await replace();
    const { ino, size } = lstatSync(path);
    const shown = file.update(() => later);
    expect(read()).toBe(textOf(later));
    await shown;
    expect(lstatSync(path)).toMatchObject({ ino, size });
    expect(names()).toEqual([".ralph-state.json"]);
  });

  it.each([
    ["a longer number", state, { ...state, taskIndex: 10 }],
    ["another word", state, { ...state, phase: "exclusion" }],
    ["a digit in place of a letter", { ...state, phase: "e" }, { ...state, phase: "7" }],
    ["a letter in place of a digit", { ...state, phase: "7" }, { ...state, phase: "e" }],
  ])("is replaced if it is flushed for %s", async (_, before, after) => {
    const { path, file, read, names } = sample();
    await file.replace(() => before);
    const { ino } = lstatSync(path);
    const shown = file.update(() => after);
    expect([read(), lstatSync(path).ino]).toEqual([textOf(before), ino]);
    await shown;
    expect(read()).toBe(textOf(after));
    expect(names()).toEqual([".ralph-state.json"]);
  });

  it("does not change a copy that shares its content", async () => {
    const { folder, path, file, read, replace } = sample();
    await replace();
    linkSync(path, join(folder, "copy"));
    await file.update(() => later);
    expect([read(), readFileSync(join(folder, "copy"), "utf8")]).toEqual([textOf(later), textOf(state)]);
  });

  it("is unchanged if its writer was replaced during a flush", async () => {
    let isTakenOver = false;
    const { path, file, read, names } = sample({
      checkHeld: () => {
        if (isTakenOver) throw new Error("taken over");
      },
    });
    writeFileSync(path, "{}");
    const written = file.update(() => state);
    isTakenOver = true;
    await expect(written).rejects.toThrow("taken over");
    expect([read(), names()]).toEqual(["{}", [".ralph-state.json"]]);
  });

  it.each([
    ["checkFence", "replaced", { ...state, taskIndex: 10 }],
    ["checkHeld", "replaced", { ...state, taskIndex: 10 }],
    ["checkHeld", "changed in place", later],
  ])("is unchanged if %s reports that it may not be %s", async (check, _, other) => {
    let isTakenOver = false;
    const refuse = () => {
      if (isTakenOver) throw new Error("taken over");
    };
    const { file, read, names, replace } = sample({ [check]: refuse });
    await replace();
    isTakenOver = true;
    await expect(file.update(() => other)).rejects.toThrow("taken over");
    expect([read(), names()]).toEqual([textOf(state), [".ralph-state.json"]]);
  });

  it.each(["", "{", "[]", '{"phase":"execution","taskIndex":-1}'])("is corrupt if it contains %j", (content) => {
    const { path } = sample();
    writeFileSync(path, content);
    const reading = readStateFile(path);
    expect(reading.kind).toBe("corrupt");
    const cause = reading.kind === "corrupt" && reading.cause;
    expect(cause).toBeInstanceOf(Error);
    expect(stateCorrupt(path, cause)).toMatchObject({
      code: "state-corrupt",
      cause,
      message: expect.stringContaining(path),
      hint: expect.stringContaining("remove the file"),
    });
  });

  it.each(specialFiles)("is removed if it is %s, but not a folder", (found, make) => {
    const { folder, path } = sample();
    make(path);
    const remove = (): void => removeStateFile(path);
    if (found === "a folder") {
      const message = expect.stringContaining("found a folder");
      expect(remove).toThrow(expect.objectContaining({ code: "file-refused", message }));
    } else remove();
    expect(readdirSync(folder)).toHaveLength(found === "a folder" ? 1 : 0);
  });

  it("is removed itself, not the target of a link in its place", () => {
    const { folder, path } = sample();
    mkdirSync(join(folder, "other"));
    symlinkSync("other", path);
    removeStateFile(path);
    expect(readdirSync(folder)).toEqual(["other"]);
  });

  it("is refused with the operation and its path if a file is in place of its folder", async () => {
    const { path } = sample();
    writeFileSync(path, "{}");
    const within = join(path, "x");
    const told = (verb: string, place: string) =>
      expect.objectContaining({ code: "file-refused", message: expect.stringContaining(`Cannot ${verb} \`${place}`) });
    expect(() => readStateFile(within)).toThrow(told("read", within));
    expect(() => removeStateFile(within)).toThrow(told("remove", within));
    const file = stateFileView(within, specFiles(dirname(path)));
    await expect(file.update(() => state)).rejects.toThrow(told("read", within));
    rmSync(path);
    await expect(file.update(() => state)).rejects.toThrow(told("write", within));
  });
});
