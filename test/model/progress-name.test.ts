import { describe, expect, it } from "vitest";
import { memberIn, progressName } from "../../src/model/progress-name.ts";

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
  ])("tells whose log %j is", (name, member) => {
    expect(memberIn(name)).toBe(member);
  });

  it("keeps an id of 100 characters as it is", () => {
    expect(progressName("1".repeat(100))).toBe(`.progress-task-${"1".repeat(100)}.md`);
  });

  it.each([
    ["1".repeat(101), "1".repeat(80)],
    ["1".repeat(245), "1".repeat(80)],
    ["📏".repeat(40), "%F0%9F%93%8F".repeat(7).slice(0, 80)],
  ])("shortens the name for %s to what a file system takes", (member, start) => {
    const name = progressName(member);
    expect(name.slice(0, 96)).toBe(`.progress-task-${start}~`);
    expect(name.slice(96)).toMatch(/^[0-9a-f]{8}\.md$/);
    expect(name).not.toBe(progressName(`${member}.1`));
  });
});
