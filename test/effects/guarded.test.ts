import { describe, expect, it } from "vitest";
import { type EvidenceWorld, failing, playEvidence } from "../support/evidence-run.ts";

const test = "test/add.test.js";
const files = {
  [test]: 'import "../src/add.js"\ntest("adds", () => {\n  equal(add(1, 2), 3);\n});\n',
  "src/add.js": "bad",
};
const world: EvidenceWorld = {
  plan: "- [ ] 1.1 Add\n  - **Files**: src/add.js\n  - **Verify**: `npm test`\n",
  files,
  commands: {
    "npm test": (now) => (now.get("src/add.js") === "good" || !now.has(test) ? "" : failing(["adds", test])),
  },
};
const cheat = (now: Map<string, string>): undefined => void now.delete(test);

describe("an attempt that changed the proof of its task", () => {
  it("is not accepted by the Verify before the next delegation", async () => {
    const run = await playEvidence({ ...world, work: { "1.1": cheat } });
    expect(run.delegated).toEqual(["1.1#1", "1.1#2"]);
    expect([run.proofs, run.ended?.outcome]).toEqual([{}, "gate"]);
    expect(run.prompts[1]).toContain("1 of 1 test is gone");
  });

  it("passes once the change is reverted and the work is done", async () => {
    const work = (now: Map<string, string>): undefined => {
      now.set(test, files[test] as string);
      now.set("src/add.js", "good");
    };
    const run = await playEvidence({ ...world, work: { "1.1#1": cheat, "1.1#2": work } });
    expect([run.proofs, run.ended?.outcome]).toEqual([{ "1.1": "proven" }, "complete"]);
  });

  it("is accepted with a note if the policy only warns", async () => {
    const run = await playEvidence({ ...world, work: { "1.1": cheat }, policy: { guard: "warn" } });
    expect([run.delegated, run.ended?.outcome]).toEqual([["1.1#1"], "complete"]);
  });

  it("is not credited to an attempt that does nothing, after a fix that cheats", async () => {
    const run = await playEvidence({
      ...world,
      work: { "1.1": () => undefined, "1.1.1": cheat },
      policy: { recovery: ["fix"] },
    });
    expect([run.proofs, run.ended?.outcome]).toEqual([{}, "gate"]);
  });
});

it("is not accepted if fewer checks run, though no file has changed", async () => {
  const manifest = '{ "scripts": { "test": "node --test" } }';
  const commands: EvidenceWorld["commands"] = {
    "npm test": (_, call) => (call === 1 ? failing(["adds", test]) : "exit 0\n# tests 1\n# pass 1\n# fail 0"),
  };
  const run = await playEvidence({ ...world, files: { ...files, "package.json": manifest }, commands });
  expect([run.proofs, run.ended?.outcome]).toEqual([{}, "gate"]);
  expect(run.prompts[1]).toContain("1 of 9 checks ran");
});

describe("a Verify that is green before the work, since an earlier task changed its proof", () => {
  const manifest = '{ "scripts": { "test": "node --test" } }';
  const emptied = '{ "scripts": { "test": "true" } }';
  const other = 'test("b", () => {\n  equal(1, 1);\n});\n';
  const notes = "- [ ] 1.1 Notes\n  - **Verify**: `cat NOTES.md`\n";
  const later: EvidenceWorld = {
    plan: `${notes}- [ ] 1.2 Add\n  - **Files**: src/add.js\n  - **Verify**: \`npm test\`\n`,
    files: { ...files, "package.json": manifest },
    commands: {
      "cat NOTES.md": (now) => (now.has("NOTES.md") ? "" : "cat: NOTES.md: No such file or directory"),
      "npm test": (now) =>
        now.get("package.json") === emptied || now.get("src/add.js") === "good" ? "" : failing(["adds", test]),
    },
  };
  const write =
    (path: string, text: string) =>
    (now: Map<string, string>): undefined => {
      now.set("NOTES.md", "# Notes");
      now.set(path, text);
    };
  const prepare = write("package.json", emptied);

  it("is not accepted", async () => {
    const run = await playEvidence({ ...later, work: { "1.1": prepare } });
    expect(run.delegated).toEqual(["1.1#1", "1.2#1", "1.2#2"]);
    expect([run.proofs, run.ended?.outcome]).toEqual([{ "1.1": "proven" }, "gate"]);
    expect(run.prompts[2]).toContain("scripts.test is now `true`");
  });

  it("passes once the change is reverted, which undoes no work", async () => {
    const work = (now: Map<string, string>): undefined => {
      now.set("package.json", manifest);
      now.set("src/add.js", "good");
    };
    const run = await playEvidence({ ...later, work: { "1.1": prepare, "1.2#2": work } });
    expect([run.delegated.length, run.ended?.outcome]).toEqual([3, "complete"]);
  });

  it.each([
    [
      "the earlier task asks for the change",
      { plan: later.plan.replace("1.1 Notes", "1.1 Edit package.json") },
      prepare,
    ],
    ["the task only checks", { plan: later.plan.replace("1.2 Add", "1.2 [VERIFY] Add") }, prepare],
    ["the earlier task did the work", {}, write("src/add.js", "good")],
    [
      "the earlier task moved a test",
      { files: { ...later.files, "src/add.js": "good", "test/b.test.js": other } },
      (now: Map<string, string>): undefined => {
        write("test/unit/b.test.js", other)(now);
        now.delete("test/b.test.js");
      },
    ],
    ["the earlier task made the file", { files }, write("package.json", emptied)],
  ])("is accepted if %s", async (_, more, work) => {
    const run = await playEvidence({ ...later, ...more, work: { "1.1": work } });
    expect([run.delegated.length, run.ended?.outcome]).toEqual([2, "complete"]);
  });

  it("is judged only by the first task of its command", async () => {
    const plan = `${later.plan}- [ ] 1.3 More\n  - **Verify**: \`npm test\`\n`;
    const run = await playEvidence({ ...later, plan, work: { "1.1": write("src/add.js", "good"), "1.3": prepare } });
    expect(run.delegated).toContain("1.3#2");
    expect(run.ended?.outcome).toBe("gate");
  });
});
