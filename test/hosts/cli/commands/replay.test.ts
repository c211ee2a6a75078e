import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../support/folder.ts";
import { journals, type Line, specWith } from "../../../support/journals/alter-journal.ts";
import { beginCli } from "../call-cli.ts";

async function replay(folder: string, ...words: string[]) {
  const { ended, printed } = beginCli(folder, ["replay", ...words]);
  const error = await ended.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  return { error, out: printed.out };
}

/** A workspace with a spec in it that has the journal of a fixture. */
function workspaceWith(name: string, change?: (lines: Line[]) => readonly Line[]): string {
  const workspace = temporaryFolder();
  const spec = specWith(name, join(workspace, "specs", "demo"), change);
  writeFileSync(join(spec, "tasks.md"), "- [ ] 1.1 First\n");
  return workspace;
}

const expectedOf = (name: string): { decisions: number; stateHash: string } =>
  JSON.parse(readFileSync(join(journals, name, "expected.json"), "utf8"));

describe("fixpoint replay", () => {
  it.each([
    ["a spec", "demo"],
    ["its folder of run data", "specs/demo/.fixpoint"],
    ["the folder of a run", "specs/demo/.fixpoint/run-1"],
    ["a segment of it", "specs/demo/.fixpoint/run-1/journal-1.ndjson"],
  ])("decides a run again, given as %s", async (_, place) => {
    const { error, out } = await replay(workspaceWith("complete"), place);
    const { decisions, stateHash } = expectedOf("complete");
    expect(error).toBeNull();
    expect(out).toBe(
      `Run 1: 1 start, 3 turns, ${decisions} decisions replayed, none differs; state ${stateHash.slice(0, 12)}\n`,
    );
  });

  it("says what a run asks for next that did not come to its end", async () => {
    const { out } = await replay(workspaceWith("fixes-killed-5"), "demo");
    expect(out).toMatch(
      /^Run 1: 1 start, 1 turn, \d+ decisions replayed, none differs; state \w{12}\nNext: \S+#1\/\w+\n$/,
    );
  });

  it("prints one JSON object", async () => {
    const { out } = await replay(workspaceWith("complete"), "demo", "--run", "1", "--json");
    expect(JSON.parse(out)).toMatchObject({
      ...{ run: 1, records: 15, differences: [], next: [], ...expectedOf("complete") },
      starts: [[{ turn: 1 }, { turn: 2 }, { turn: 3 }]],
    });
  });

  it("tells what differs, and refuses it", async () => {
    const workspace = workspaceWith("complete", (lines) =>
      lines.map((line) => (line["type"] === "delegated" && line["task"] === "1.2" ? { ...line, attempt: 4 } : line)),
    );
    const { error, out } = await replay(workspace, "demo");
    expect(error).toMatchObject({ code: "journal-diverged", blame: "input" });
    expect(out).toContain("1 of them differ; state ");
    expect(out).toContain('  now      {"attempt":1,"level":null,"retries":0,"task":"1.2"}\n  recorded {"attempt":4,');
  });

  it("writes nothing", async () => {
    const workspace = workspaceWith("complete");
    const before = readdirSync(workspace, { recursive: true });
    await replay(workspace, "demo");
    expect(readdirSync(workspace, { recursive: true })).toEqual(before);
  });

  it.each([
    ["a run that is not there", ["demo", "--run", "7"], "journal-missing", "Cannot replay run 7, expected a journal"],
    ["a spec without a run", ["fresh"], "journal-missing", "Cannot replay a run, expected a journal at `fresh`"],
    ["a number that is none", ["demo", "--run", "x"], "bad-number", "--run"],
    ["a spec that is not there", ["other"], "spec-missing", "other"],
  ] as const)("refuses %s", async (_, words, code, message) => {
    const workspace = workspaceWith("complete");
    mkdirSync(join(workspace, "specs", "fresh"));
    writeFileSync(join(workspace, "specs", "fresh", "tasks.md"), "- [ ] 1.1 First\n");
    const { error } = await replay(workspace, ...words);
    expect(error).toMatchObject({ code, message: expect.stringContaining(message) });
  });
});
