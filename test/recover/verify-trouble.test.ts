import { describe, expect, it } from "vitest";
import { type FailedVerify, verifyTrouble } from "../../src/recover/verify-trouble.ts";

const failed = { exitCode: 1, timedOut: false, stdout: "", stderr: "" };
const slow = { ...failed, exitCode: null, timedOut: true };
const green = { exitCode: 0, timedOut: false };
const trouble = (command: string, more: Partial<FailedVerify> = {}) =>
  verifyTrouble({ command, run: failed, withheld: [], before: null, ...more });

describe("verifyTrouble", () => {
  it.each([
    ["make check passes", "is a sentence, not a command: `make check passes`", "alone: `make check`"],
    ["make sure the page loads", "is a sentence", "Write a command, or remove the field"],
    ["$ npm test", "starts with a terminal prompt: `$ npm test`", "alone: `npm test`"],
    ["bash: ls .", "starts with a terminal prompt", "alone: `ls .`"],
    ["$ cd a\n$ make", "terminal prompt: `$ cd a $ make`", "alone: `cd a make`"],
  ])("asks about %j", (command, question, hint) => {
    expect(trouble(command)).toEqual({
      question: expect.stringContaining(question),
      hint: expect.stringContaining(hint),
    });
  });

  it.each([
    "Waiting for file changes...",
    "[nodemon] watching path(s): *.*",
    "Found 0 errors. Watching for file changes.",
    "press q to quit",
    "      press h to show help, press q to quit",
    "Watch Usage: Press w to show more.",
    "Server listening on port 3000",
    "Listening at http://127.0.0.1:8000",
    "  VITE v5.0.0  ready in 312 ms",
    "  \u279c  Local:   http://localhost:5173/",
    "Serving HTTP on 0.0.0.0 port 8000",
    "Quit the server with CONTROL-C to quit.",
    "waiting for changes",
  ])("asks about one that timed out after %j", (line) => {
    expect(trouble("x", { run: { ...slow, stdout: `a\n${line}\n` } })?.question).toContain(line.trim());
    expect(trouble("x", { run: { ...slow, stderr: line } })?.question).toMatch(/^its Verify does not end by itself: /);
    expect(trouble("x", { run: { ...failed, stdout: line } })).toBeNull();
  });

  it.each<[string, string, string?]>([
    [`sh -c 'test -n "$PAY_API_KEY"'`, ""],
    [`sh -c 'test -n "$\{PAY_API_KEY}"'`, ""],
    ["npm test", "PAY_API_KEY is not set"],
    ["npm test", "Error: missing environment variable PAY_API_KEY"],
    ["pytest", "KeyError: 'PAY_API_KEY'"],
    ["sh x.sh", "x.sh: 3: PAY_API_KEY: parameter not set"],
    ["sh x.sh", "PAY_API_KEY: unbound variable"],
    ["sh x.sh", "Please set PAY_API_KEY"],
  ])("names the variable that %j needs: %j", (command, stderr) => {
    const withheld = ["OTHER_TOKEN", "PAY_API_KEY"];
    expect(trouble(command, { run: { ...failed, stderr }, withheld })).toEqual({
      question: expect.stringContaining("needs the variable PAY_API_KEY"),
      hint: "Pass the variable on: --pass-env PAY_API_KEY",
      variable: "PAY_API_KEY",
    });
    expect(trouble(command, { run: { ...failed, stderr }, withheld: ["OTHER_TOKEN"] })).toBeNull();
    expect(trouble(command, { run: { ...failed, stderr } })).toBeNull();
  });

  it("does not treat every name as required", () => {
    const stderr = "tests of PAY_API_KEY: 3 failed";
    expect(trouble("npm test", { run: { ...failed, stderr }, withheld: ["PAY_API_KEY"] })).toBeNull();
  });

  it.each(["grep -rn oldApi src", "cat a.txt | grep x", "rg TODO", "git grep -q x"])(
    "asks about the search %j that no longer finds anything",
    (command) => {
      expect(trouble(command, { before: green })).toEqual({
        question: expect.stringContaining("found something before the work"),
        hint: expect.stringContaining(`\`! ${command}\``),
      });
      expect(trouble(command)).toBeNull();
      expect(trouble(command, { before: { exitCode: 1, timedOut: false } })).toBeNull();
      expect(trouble(command, { before: { exitCode: 0, timedOut: true } })).toBeNull();
      expect(trouble(command, { before: green, run: { ...failed, stderr: "grep: src: gone" } })).toBeNull();
      expect(trouble(command, { before: green, run: { ...failed, exitCode: 2 } })).toBeNull();
      expect(trouble(command, { before: green, run: { ...failed, timedOut: true } })).toBeNull();
    },
  );

  it.each(["! grep x a", "npm test", "grep x a && make", "grep x a; make", "make grep"])(
    "does not treat %j as a search",
    (command) => {
      expect(trouble(command, { before: green })).toBeNull();
    },
  );

  it("asks nothing about a command that passed", () => {
    expect(trouble("make check passes", { run: { ...failed, exitCode: 0 } })).toBeNull();
    expect(trouble("npm test")).toBeNull();
    expect(trouble("npm test", { run: { ...slow, stdout: "running" } })).toBeNull();
  });
});
