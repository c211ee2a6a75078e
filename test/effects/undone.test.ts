import { describe, expect, it } from "vitest";
import type { PolicyInput } from "../../src/model/policy.ts";
import { type EvidenceWorld, failing, playEvidence } from "../support/evidence-run.ts";

type Files = Map<string, string>;
type Act = (files: Files) => string | undefined;

const before = { "src/a.js": "first", "package-lock.json": "{}", "src/old.js": "old" };

const first: Act = (files) => {
  files.set("src/a.js", "import new, long");
  files.set("src/new.js", "new");
  files.set("src/long.js", "one\n\ntwo");
  files.set("scratch.py", "print");
  files.set("package-lock.json", "{ a }");
  return undefined;
};

interface Given {
  readonly second: Record<string, Act>;
  readonly task?: string;
  readonly earlier?: string;
  /** The file that the red check of the second task imports. */
  readonly read?: string;
  readonly policy?: PolicyInput;
  readonly verified?: boolean;
}

const play = ({ second, task = "Do b", earlier = "Do a in src/a.js", read, policy = {}, verified = true }: Given) =>
  playEvidence({
    plan: `- [ ] 1.1 ${earlier}\n  - **Verify**: \`one\`\n- [ ] 1.2 ${task}\n${verified ? "  - **Verify**: `two`\n" : ""}`,
    files: { ...before, ...(read !== undefined && { "test/b.test.js": `import "../${read}"` }) },
    commands: {
      one: (files) => (files.get("src/a.js") === "first" ? "exit 1" : ""),
      two: (files) => (files.has("src/b.js") ? "" : read === undefined ? "exit 1" : failing(["b", "test/b.test.js"])),
    },
    work: { "1.1": first, ...second },
    policy: { recheck: false, ...policy },
  } as EvidenceWorld);

const works =
  (act: (files: Files) => unknown): Act =>
  (files) => {
    files.set("src/b.js", "b");
    act(files);
    return undefined;
  };

const putBack = works((files) => files.set("src/a.js", "first"));
const remove = works((files) => files.delete("src/new.js"));
const moves = (path: string, text: string): Act =>
  works((files) => {
    files.delete("src/new.js");
    files.set(path, text);
  });
const restored = works(first);

describe("work of an accepted task that a later one undid", () => {
  it.each([
    ["an edited file is restored", putBack, "src/a.js: is back to its state before task 1.1"],
    ["a file that it made is removed", remove, "src/new.js: was created by task 1.1, and is gone"],
  ])("rejects the attempt if %s, with the command to restore it", async (_, act, told) => {
    const run = await play({ second: { "1.2#1": act, "1.2#2": restored } });
    expect([run.delegated, run.ended?.outcome]).toEqual([["1.1#1", "1.2#1", "1.2#2"], "complete"]);
    const path = told.split(":")[0];
    expect(run.prompts[2]).toContain(`work of other tasks was undone: ${told}. Restore it: fixpoint restore`);
    expect(run.prompts[2]).toContain(`--before --yes -- ${path}`);
  });

  it("rejects an attempt without a Verify too", async () => {
    const run = await play({ second: { "1.2#1": putBack, "1.2#2": restored }, verified: false });
    expect([run.delegated, run.ended?.outcome]).toEqual([["1.1#1", "1.2#1", "1.2#2"], "complete"]);
  });

  it("raises a question the second time", async () => {
    const run = await play({ second: { "1.2": putBack } });
    expect([run.delegated.length, run.ended?.outcome]).toEqual([3, "gate"]);
    expect(JSON.stringify(run.ended)).toContain(
      "work of other tasks was undone twice: src/a.js: is back to its state before task 1.1",
    );
  });

  it.each([
    ["the task names the file", "Put src/a.js back", putBack],
    ["Files name the folder", "Do b\n  - **Files**: src/", remove],
    ["the task is about its removal", "Remove the new helper", remove],
    ["the file was moved and changed", "Do b", moves("lib/new.js", "changed")],
    [
      "half of it is now in other files",
      "Do b",
      works((files) => {
        files.delete("src/long.js");
        files.set("src/b.js", "one\nand more");
      }),
    ],
    ["its content was moved", "Do b", moves("src/c.js", "new")],
    ["a tool writes the file", "Do b", works((files) => files.set("package-lock.json", "{}"))],
    ["nothing names the file", "Do b", works((files) => files.delete("scratch.py"))],
    ["it is changed to something new", "Do b", works((files) => files.set("src/a.js", "third"))],
    ["it is no work of this run", "Do b", works((files) => files.delete("src/old.js"))],
  ])("is not reported if %s", async (_, task, act) => {
    const run = await play({ second: { "1.2": act }, task });
    expect([run.delegated, run.ended?.outcome]).toEqual([["1.1#1", "1.2#1"], "complete"]);
  });

  it.each([
    ["rejected if the earlier task has no Files", "Do a in src/a.js", "src/old.js", false],
    ["rejected if no red check reads it", "Do a\n  - **Files**: src/a.js", "src/a.js", false],
    ["accepted if a red check reads it", "Do a\n  - **Files**: src/a.js", "src/old.js", true],
    ["rejected if Files name it", "Do a\n  - **Files**: src/", "src/old.js", false],
  ])("takes back what an earlier task broke: %s", async (_, earlier, read, isAccepted) => {
    const run = await play({
      second: {
        "1.1": (files) => first(files.set("src/old.js", "broken")),
        "1.2": works((files) => files.set("src/old.js", "old")),
      },
      ...{ earlier, read },
    });
    expect([run.delegated.length, run.ended?.outcome]).toEqual(isAccepted ? [2, "complete"] : [3, "gate"]);
  });

  it.each(["warn", "off"] as const)("does not reject if the guard is %s", async (guard) => {
    const run = await play({ second: { "1.2": putBack }, policy: { guard } });
    expect([run.delegated, run.ended?.outcome]).toEqual([["1.1#1", "1.2#1"], "complete"]);
  });
});
