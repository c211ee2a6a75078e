import { describe, expect, it } from "vitest";
import { doubtCommand, whyNoProgram } from "../../src/model/doubtful-command.ts";

describe("doubtCommand", () => {
  it.each([
    ["$ npm test", "npm test"],
    ["$ ls .", "ls ."],
    ["% ls", "ls"],
    ["> npm test", "npm test"],
    ["\u276f npm test", "npm test"],
    ["bash: ls .", "ls ."],
    ["sh: ls", "ls"],
    ["Shell: npm test", "npm test"],
    ["bash$ ls", "ls"],
    ["sh-5.1$ ls", "ls"],
    ["me@host:~/work$ npm test", "npm test"],
    ["root@host:/# npm test", "npm test"],
    ["(venv) $ pytest", "pytest"],
    ["PS C:\\work> dir", "dir"],
    ["$ cd a\n$ npm test", "cd a\nnpm test"],
  ])("finds the prompt in %j", (command, meant) => {
    expect(doubtCommand(command)).toEqual({ kind: "prompt", meant });
  });

  it.each([
    ["make check passes", "make check"],
    ["make test passes", "make test"],
    ["npm test passes", "npm test"],
    ["npm test passes.", "npm test"],
    ["npm run build succeeds", "npm run build"],
    ["sort order is stable", "sort order"],
    ["npm test exits 0", "npm test"],
    ["curl localhost:3000/health returns 200", "curl localhost:3000/health"],
    ["git log shows the commit", "git log"],
    ["npm run unit tests pass", "npm run unit tests"],
    ["tsc --noEmit reports no errors", "tsc --noEmit"],
    ['make test passes (all "green")', "make test"],
    ["npm test passes && npm run lint passes", "npm test"],
    ["make sure the page loads", ""],
    ["test the endpoint by hand", ""],
    ["test suite is green", "test suite"],
    ["file exists and is executable", "file exists and"],
  ])("finds the sentence in %j", (command, meant) => {
    expect(doubtCommand(command)).toEqual({ kind: "prose", meant });
  });

  it.each([
    "",
    "npm test",
    "make check",
    "make all install",
    "$RUN --all",
    "$(which node) --version",
    "> out.txt",
    "cargo test works",
    "cargo test returns",
    "npx vitest run contains",
    "pytest -k passes",
    "pytest -k is it",
    "echo this is fine",
    "grep -q the file.txt",
    "test -f is && echo the",
    "[ the is x ]",
    "test ! -e is so",
    "node -e 'x is y'",
    "git commit -m 'it passes'",
    "npm test\nis it so",
    "./check.sh is -v",
    "make the -j2",
    "find . -name the",
    "make green",
    "bash -c 'npm test'",
    "sh check.sh",
  ])("finds nothing in %j", (command) => {
    expect(doubtCommand(command)).toBeNull();
  });
});

describe("whyNoProgram", () => {
  it.each([
    "The page renders",
    "All well",
    "Ouvre la page",
    "A user can log in (200 OK)",
    "all links of the page work and load",
    "pages load without errors",
    "all tests pass",
  ])("finds a sentence in %j", (command) => {
    const [program = ""] = command.split(" ");
    expect(whyNoProgram(command, program)).toEqual({
      why: "it reads like a sentence, not a command",
      hint: expect.stringContaining("code span"),
    });
  });

  it.each(["docker compose up", "R CMD check", "Rscript run.R", "go vet all", "a.out", "Xvfb", "run --the all"])(
    "finds none in %j",
    (command) => {
      const [program = ""] = command.split(" ");
      expect(whyNoProgram(command, program)).toEqual({ why: `there is no program \`${program}\``, hint: null });
    },
  );
});
