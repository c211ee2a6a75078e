import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { attemptKey, attemptOf, deniedAct, nameOfAct, taskOf } from "../../src/model/reply.ts";
import { prop } from "../support/prop.ts";

describe("attemptKey", () => {
  it("names a task and an attempt", () => {
    expect(attemptKey("1.3", 2)).toBe("1.3#2");
  });
});

describe("attemptOf", () => {
  prop(
    "is the attempt of an effect's key, whatever the id",
    [fc.string(), fc.nat(), fc.stringMatching(/^[a-zA-Z]+$/)],
    (id, n, name) => {
      expect(attemptOf(`${attemptKey(id, n)}/${name}`)).toBe(attemptKey(id, n));
    },
  );

  it("is the part before the last slash", () => {
    expect(attemptOf("1.3#2/verify")).toBe("1.3#2");
  });
});

describe("taskOf", () => {
  it("is the task of an attempt and of an effect's key", () => {
    expect(taskOf("1.3#2")).toBe("1.3");
    expect(taskOf("1.3#2/verify")).toBe("1.3");
  });
});

describe("deniedAct", () => {
  it("keeps an action as one line of at most 200 characters", () => {
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
