import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { InputError } from "../../src/model/errors.ts";
import { checkArtifactName, fileNamePart, isOfSpec, memberIn, progressName } from "../../src/model/file-names.ts";
import { prop } from "../support/prop.ts";

describe("fileNamePart", () => {
  it("keeps 100 characters unchanged, and of more the first 80", () => {
    expect(fileNamePart("a".repeat(100))).toBe("a".repeat(100));
    expect(fileNamePart("a".repeat(101))).toMatch(/^a{80}~[0-9a-f]{8}$/);
  });

  it("gives a shortened text a name that no other text has", () => {
    const shortened = fileNamePart("a".repeat(101));
    expect(fileNamePart(shortened)).not.toBe(shortened);
  });

  prop("I23: is a part of a name that every file system accepts", [fc.string({ unit: "binary" })], (text) => {
    expect(fileNamePart(text)).toMatch(/^[A-Za-z0-9._#%~-]{0,100}$/);
  });
});

describe("isOfSpec", () => {
  it.each([
    ["/w", "/w/specs/a", "specs/a/tasks.md", true],
    ["/w", "/w/specs/a", "specs/a/design.md", true],
    ["/w", "/w/specs/a", "specs/ab.md", false],
    ["/w", "/elsewhere/a", "src/a.ts", false],
    ["/w", "/w", "tasks.md", true],
    ["/w", "/w", ".progress-task-1.2.md", true],
    ["/w", "/w", ".progress/a.md", false],
    ["/w", "/w", ".progress.txt", false],
    ["/w", "/w", "src/tasks.md", false],
    ["/w/src", "/w", "a.ts", false],
  ])("in %s, with the spec %s, returns for %s: %s", (workspace, spec, path, isOwn) => {
    expect(isOfSpec(path, { workspace, spec })).toBe(isOwn);
  });
});

describe("checkArtifactName", () => {
  it.each(["design.md", "requirements.md", "tasks.md", "API_v1.2-draft.json", "README"])("allows %s", (name) => {
    expect(() => checkArtifactName(name)).not.toThrow();
  });

  it.each([
    "",
    ".",
    "..",
    ".env",
    "../design.md",
    "a/b",
    "a\\b",
    "/etc/hosts",
    "C:x",
    "a\0",
    "a b",
    "a\n",
    "x".repeat(65),
  ])("refuses %j", (name) => {
    expect(() => checkArtifactName(name)).toThrow(InputError);
    expect(() => checkArtifactName(name)).toThrow(
      expect.objectContaining({
        message: `Cannot read artifact \`${name}\`, expected the name of a file`,
        code: "bad-artifact-name",
        hint: expect.stringContaining("`design.md`"),
      }),
    );
  });
});

describe("progressName", () => {
  it("names the log of a spec", () => {
    expect(progressName()).toBe(".progress.md");
  });

  it.each([
    ["1.3", ".progress-task-1.3.md"],
    ["T-001_a#2", ".progress-task-T-001_a#2.md"],
    ["../1", ".progress-task-..%2F1.md"],
    ["a%2F\\ü📏\0", ".progress-task-a%252F%5C%C3%BC%F0%9F%93%8F%00.md"],
  ])("names the log of member %j", (member, name) => {
    expect(progressName(member)).toBe(name);
  });

  it.each([
    [".progress-task-1.3.md", "1.3"],
    [".progress-task-3.md", "3"],
    [".progress-task-.md", null],
    [".progress-task-a%2Fb.md", null],
    [".progress-task-1.3.txt", null],
    [".progress.md", null],
  ])("returns the owner of the log %j", (name, member) => {
    expect(memberIn(name)).toBe(member);
  });

  it("keeps an id of 100 characters unchanged", () => {
    expect(progressName("1".repeat(100))).toBe(`.progress-task-${"1".repeat(100)}.md`);
  });

  it.each([
    ["1".repeat(101), "1".repeat(80)],
    ["1".repeat(245), "1".repeat(80)],
    ["📏".repeat(40), "%F0%9F%93%8F".repeat(7).slice(0, 80)],
  ])("shortens the name for %s to the limit of a file system", (member, start) => {
    const name = progressName(member);
    expect(name.slice(0, 96)).toBe(`.progress-task-${start}~`);
    expect(name.slice(96)).toMatch(/^[0-9a-f]{8}\.md$/);
    expect(name).not.toBe(progressName(`${member}.1`));
  });
});
