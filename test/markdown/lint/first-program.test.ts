import { describe, expect, it } from "vitest";
import { firstProgram } from "../../../src/markdown/lint/judge-command.ts";

describe("firstProgram", () => {
  it.each([
    ["npm test | tail -5", "npm"],
    ["! grep -q x y", "grep"],
    ["cd app && CI=1 npm test", "npm"],
    ["# first\nmake check", "make"],
    ["<in.txt npm test", "npm"],
    [">log.txt cd app && 2>log.txt make", "make"],
  ])("of %j is %s", (script, program) => {
    expect(firstProgram(script)).toBe(program);
  });

  it.each([
    "./check.sh",
    "$RUN a",
    "cd app",
    "cd app || make",
    "cd app; make",
    "[ -f a ]",
    "PATH=bin:$PATH run",
    "a=1",
    ">log.txt",
    "",
    "for a in b; do c; done",
  ])("of %j is undetermined", (script) => {
    expect(firstProgram(script)).toBeNull();
  });
});
