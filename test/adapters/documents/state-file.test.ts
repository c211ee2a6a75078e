import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  readStateFile,
  removeStateFile,
  stateCorrupt,
  stateFileView,
} from "../../../src/adapters/documents/state-file.ts";
import { ExecutionState } from "../../../src/model/execution-state.ts";
import { temporaryFolder } from "../../support/folder.ts";
import { specialFiles } from "../../support/special-files.ts";

const state = ExecutionState.parse({ phase: "execution", taskIndex: 1, totalTasks: 3 });
function sample(check = () => {}) {
  const folder = temporaryFolder();
  const path = join(folder, ".ralph-state.json");
  const file = stateFileView(path, join(folder, "draft"), check);
  return { folder, path, file, write: () => file.write(state) };
}

describe("a state file", () => {
  it("is read as it was written, and gone once it is removed", () => {
    const { folder, path, write } = sample();
    expect(readStateFile(path)).toEqual({ kind: "absent" });
    write();
    expect(readStateFile(path)).toMatchObject({ kind: "read", state });
    expect(readFileSync(path, "utf8")).toBe(`${JSON.stringify(state, undefined, 2)}\n`);
    expect(readdirSync(folder)).toEqual([".ralph-state.json"]);
    for (const _ of [1, 2]) removeStateFile(path);
    expect(readdirSync(folder)).toEqual([]);
  });

  it("is read as others leave it, between and behind its own writes", () => {
    const { path, file, write } = sample();
    expect(file.read()).toEqual({ kind: "absent" });
    write();
    expect(file.read()).toEqual(readStateFile(path));
    for (const content of ['{"phase":"execution","taskIndex":2,"own":[1]}', '{"phase":"execution"}', "{"]) {
      writeFileSync(path, content);
      for (const _ of [1, 2]) expect(file.read()).toEqual(readStateFile(path));
    }
    removeStateFile(path);
    expect(file.read()).toEqual({ kind: "absent" });
  });

  it("is not parsed again while it has the same bytes, whoever has read it", () => {
    const { path } = sample();
    writeFileSync(path, '{"taskIndex":1}');
    const known = readStateFile(path);
    expect(readStateFile(path, known)).toBe(known);
    expect(stateFileView(path, `${path}.draft`, () => {}, known).read()).toBe(known);
    writeFileSync(path, '{"taskIndex":2}');
    expect(readStateFile(path, known)).toMatchObject({ state: { taskIndex: 2 } });
  });

  it("is replaced once what was written aside is flushed, and not parsed again", async () => {
    const { folder, path, file } = sample();
    writeFileSync(path, "{}");
    const written = file.writeAside(state);
    expect(readFileSync(path, "utf8")).toBe("{}");
    await written;
    expect(readFileSync(path, "utf8")).toBe(`${JSON.stringify(state, undefined, 2)}\n`);
    expect(file.read()).toMatchObject({ state });
    expect(file.read()).toBe(file.read());
    expect(readdirSync(folder)).toEqual([".ralph-state.json"]);
  });

  it("stays as it was when its writer was replaced while it was flushed", async () => {
    let isTakenOver = false;
    const { folder, path, file } = sample(() => {
      if (isTakenOver) throw new Error("taken over");
    });
    writeFileSync(path, "{}");
    const written = file.writeAside(state);
    isTakenOver = true;
    await expect(written).rejects.toThrow("taken over");
    expect([readFileSync(path, "utf8"), readdirSync(folder)]).toEqual(["{}", [".ralph-state.json"]]);
  });

  it("stays as it was when its writer may not write any more", () => {
    const { folder, path, write } = sample(() => {
      throw new Error("taken over");
    });
    writeFileSync(path, "{}");
    expect(() => write()).toThrow("taken over");
    expect([readFileSync(path, "utf8"), readdirSync(folder)]).toEqual(["{}", [".ralph-state.json"]]);
  });

  it.each(["", "{", "[]", '{"phase":"execution","taskIndex":-1}'])("is corrupt when it says %j", (content) => {
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
      hint: expect.stringContaining("remove it"),
    });
  });

  it.each(specialFiles)("is removed where it is %s, but for a folder", (found, make) => {
    const { folder, path } = sample();
    make(path);
    const remove = (): void => removeStateFile(path);
    if (found === "a folder") {
      const message = expect.stringContaining("found a folder");
      expect(remove).toThrow(expect.objectContaining({ code: "file-refused", message }));
    } else remove();
    expect(readdirSync(folder)).toHaveLength(found === "a folder" ? 1 : 0);
  });

  it("is removed, not what a link in its place leads to", () => {
    const { folder, path } = sample();
    mkdirSync(join(folder, "other"));
    symlinkSync("other", path);
    removeStateFile(path);
    expect(readdirSync(folder)).toEqual(["other"]);
  });

  it("is refused with what was tried and its path where its folder is none", () => {
    const { path, write } = sample();
    writeFileSync(path, "{}");
    const within = join(path, "x");
    const told = (verb: string, place: string) =>
      expect.objectContaining({ code: "file-refused", message: expect.stringContaining(`Cannot ${verb} \`${place}`) });
    expect(() => readStateFile(within)).toThrow(told("read", within));
    expect(() => removeStateFile(within)).toThrow(told("remove", within));
    expect(() => stateFileView(within, `${path}.draft`, () => {}).write(state)).toThrow(told("write", within));
    expect(write).not.toThrow();
  });
});
