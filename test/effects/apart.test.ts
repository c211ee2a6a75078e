import { describe, expect, it } from "vitest";
import type { PolicyInput } from "../../src/model/policy.ts";
import { type EvidenceWorld, failing, playEvidence } from "../support/evidence-run.ts";

type Files = Map<string, string>;
type Work = NonNullable<EvidenceWorld["work"]>;

const plan = ["a", "b", "c"]
  .map((name, at) => `- [ ] 1.${at + 1} [P] Do ${name}\n  - **Verify**: \`test ${name}\`\n`)
  .join("");

const makes =
  (name: string, more: (files: Files) => unknown = () => {}) =>
  (files: Files): undefined => {
    files.set(name, `${files.has("shared") ? "" : "without shared, "}made`);
    more(files);
  };

const world = (work: Work, policy: PolicyInput = {}, commands: EvidenceWorld["commands"] = {}): EvidenceWorld => ({
  plan,
  files: { shared: "first" },
  commands: {
    ...Object.fromEntries(
      ["a", "b", "c"].map((name) => [`test ${name}`, (files) => (files.has(name) ? "" : "exit 1")]),
    ),
    ...commands,
  } as EvidenceWorld["commands"] & object,
  work,
  policy: { worktrees: true, maxParallel: 3, ...policy },
  apart: true,
});

const all: Work = { "1.1": makes("a"), "1.2": makes("b"), "1.3": makes("c") };

describe("members of a batch in worktrees", () => {
  it("do not see each other, and are merged once all are done", async () => {
    const seen: string[] = [];
    const look = (name: string) => makes(name, (files) => seen.push(`${name}: ${[...files.keys()].sort().join(" ")}`));
    const run = await playEvidence(world({ "1.1": look("a"), "1.2": look("b"), "1.3": look("c") }));
    expect([run.ended?.outcome, run.proofs]).toEqual([
      "complete",
      { "1.1": "proven", "1.2": "proven", "1.3": "proven" },
    ]);
    expect(seen.sort()).toEqual(["a: a shared", "b: b shared", "c: c shared"]);
    expect([...run.files.keys()].sort()).toEqual(["a", "b", "c", "shared"]);
  });

  it("reach the same end after a kill at any record", async () => {
    const work: Work = {
      ...all,
      "1.2#1": () => undefined,
      "1.2.1": makes("b"),
      "1.3#1": (files) => void files.set("junk", "left"),
    };
    const policy: PolicyInput = { recovery: ["fix"] };
    const whole = await playEvidence(world({ ...work, "1.3.1": makes("c") }, policy));
    expect(whole.ended?.outcome).toBe("complete");
    for (let kill = 1; kill < 60; kill += 1) {
      const run = await playEvidence(world({ ...work, "1.3.1": makes("c") }, policy), kill);
      expect([kill, run.ended?.outcome, [...run.files].sort()]).toEqual([kill, "complete", [...whole.files].sort()]);
    }
  });

  const edits = (name: string, text: string) => makes(name, (files) => files.set("shared", text));

  it("are redone if they conflict, with their other files kept, whatever their Verify says", async () => {
    const again = (files: Files): undefined => void files.set("shared", `${files.get("shared")} and b`);
    const run = await playEvidence(world({ ...all, "1.1": edits("a", "a"), "1.2#1": edits("b", "b"), "1.2#2": again }));
    expect(run.delegated).toEqual(["1.1#1", "1.2#1", "1.3#1", "1.2#2"]);
    expect([run.ended?.outcome, run.files.get("shared"), run.files.get("b")]).toEqual(["complete", "a and b", "made"]);
    expect(run.prompts[3]).toContain("as the others left them:\n```text\nshared\n```");
    expect(run.prompts[3]).toMatch(/`fixpoint diff "1\.2#1" \S+` shows how/);
  });

  it("end at a limit if they conflict and no attempt is left", async () => {
    const run = await playEvidence(
      world({ ...all, "1.1": edits("a", "a"), "1.2": edits("b", "b") }, { maxTaskIterations: 1 }),
    );
    expect([run.ended?.outcome, run.delegated.length]).toEqual(["limit", 3]);
    expect(run.made.store.tasks.text).toContain("- [ ] 1.2 [P] Do b");
  });

  it("are redone if a command that passed for each of them fails for all merged", async () => {
    const alone = (files: ReadonlyMap<string, string>): string =>
      files.has("a") && files.get("b") !== "made" ? "" : "exit 1";
    const work: Work = { ...all, "1.1#1": makes("a"), "1.1#2": (files) => void files.set("b", "right") };
    const run = await playEvidence(world(work, {}, { "test a": alone }));
    expect([run.ended?.outcome, run.delegated]).toEqual(["complete", ["1.1#1", "1.2#1", "1.3#1", "1.1#2"]]);
    expect(run.prompts[3]).toMatch(
      /The result failed when combined with the changes of other tasks:\n```text\n.*exit 1/,
    );
  });

  it("are redone only by the member that changed a file of the failure", async () => {
    const test = "test/one.test.js";
    const alone = (files: ReadonlyMap<string, string>): string =>
      !files.has("a") ? "exit 1" : files.get(test) === "by b" && files.has("c") ? failing(["one", test]) : "";
    const work: Work = {
      ...all,
      "1.2#1": makes("b", (files) => files.set(test, "by b")),
      "1.2#2": (files) => void files.set(test, "right"),
    };
    const run = await playEvidence(world(work, { guard: "off" }, { "test a": alone }));
    expect([run.ended?.outcome, run.delegated.at(-1)]).toEqual(["complete", "1.2#2"]);
  });

  it("are not verified together if rechecks are off", async () => {
    const run = await playEvidence(world(all, { recheck: false }));
    expect([run.ended?.outcome, run.ran.filter((line) => line === "test a 0").length]).toEqual(["complete", 1]);
  });

  it("continue in the workspace with their work once the others are done", async () => {
    const seen: string[] = [];
    const work: Work = {
      ...all,
      "1.2#1": (files) => void files.set("junk", "left"),
      "1.2#2": makes("b", (files) => seen.push([...files.keys()].sort().join(" "))),
    };
    const limited = world(work, { maxTaskIterations: 1 });
    const first = await playEvidence(limited);
    expect([first.ended?.outcome, first.files.has("junk")]).toEqual(["limit", false]);
  });
});
