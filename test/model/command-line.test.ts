import { describe, expect, it } from "vitest";
import { addressOf, commandLine, type SpecAddress, sameAgain, shellWord } from "../../src/model/command-line.ts";

const here = addressOf("login");
const elsewhere: SpecAddress = { program: "npx fixpoint", spec: "login", cwd: "my app", path: "my app/specs/login" };

describe("commandLine", () => {
  it.each([
    [commandLine(here, "status"), "fixpoint status login"],
    [commandLine(here, "why", { task: "1.3" }), "fixpoint why 1.3 login"],
    [commandLine(here, "resume", { options: ["--guidance", "Use zod"] }), 'fixpoint resume login --guidance "Use zod"'],
    [commandLine(elsewhere, "run", { options: ["--yes"] }), 'npx fixpoint run login --cwd "my app" --yes'],
    [commandLine(elsewhere, "logs", { task: "1.3" }), 'npx fixpoint logs 1.3 "my app/specs/login"'],
    [commandLine(addressOf("--yes"), "lint"), "fixpoint lint ./--yes"],
  ])("is one that can be pasted: %s", (line, expected) => {
    expect(line).toBe(expected);
  });
});

describe("sameAgain", () => {
  it("is this call with more options behind its own", () => {
    expect(sameAgain(here, "--yes")).toBe("fixpoint run login --yes");
    expect(sameAgain({ ...here, options: ["--exec", "./agent.sh"] }, "--new-run", "--yes")).toBe(
      "fixpoint run login --exec ./agent.sh --new-run --yes",
    );
  });
});

describe("shellWord", () => {
  it.each([
    ["src/a-b_c.ts", "src/a-b_c.ts"],
    ["", '""'],
    ["two words; one line", '"two words; one line"'],
    ["$HOME", "'$HOME'"],
    ['say "it"', `'say "it"'`],
    ["it's `pwd`", String.raw`'it'\''s ${"`pwd`"}'`],
  ])("writes %s as %s", (word, written) => {
    expect(shellWord(word)).toBe(written);
  });
});
