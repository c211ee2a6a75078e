import { describe, expect, it } from "vitest";
import { deniedAct, nameOfAct } from "../../src/model/permissions.ts";

describe("deniedAct", () => {
  it("keeps an act as one line of at most 200 characters", () => {
    expect(deniedAct("Bash", "  npm test \\\n\t--silent\n")).toEqual({ tool: "Bash", act: "npm test \\ --silent" });
    expect(deniedAct("Bash", "x".repeat(300)).act).toBe("x".repeat(200));
  });
});

describe("nameOfAct", () => {
  it.each([
    ["git push origin main", "Bash git push"],
    ["npm run-script build", "Bash npm run-script"],
    ["cat /etc/passwd", "Bash cat"],
    ["ls -l", "Bash ls"],
    ["ls", "Bash ls"],
    ["", "Bash "],
  ])("is the tool, the program and its subcommand: %j", (act, name) => {
    expect(nameOfAct({ tool: "Bash", act })).toBe(name);
  });
});
