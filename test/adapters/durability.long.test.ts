import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { launch, runWords } from "../support/cli.ts";
import { run } from "../support/cli-here.ts";
import { writeScript } from "../support/folder.ts";
import { lastingFolder, type Project, projectWith, twoDone, works } from "../support/project.ts";
import { delegations, read, recordsOf } from "../support/traces.ts";

const preload = resolve(import.meta.dirname, "../support/note-writes.mjs");

interface Note {
  readonly call: "write" | "sync" | "refused" | "truncate" | "rename" | "spawn";
  readonly path: string;
  readonly types?: readonly string[];
  readonly flushed?: readonly string[];
  readonly from?: string;
}

const journal = "spec/.fixpoint/run-1/journal-1.ndjson";

/** @param refused Number of the `fdatasync` that fails. */
async function noted(
  project: Project,
  { words = [], refused = 0 }: { words?: readonly string[]; refused?: number } = {},
) {
  const report = join(lastingFolder(), "notes");
  const { end } = launch(project.workspace, runWords(project, "--yes", ...words), {
    NODE_OPTIONS: `--import ${preload}`,
    NOTE_WRITES: report,
    FAIL_SYNC: String(refused),
  });
  const { exitCode, err } = await end;
  const notes = read(report)
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Note);
  return { exitCode, err, notes };
}

const whole = noted(projectWith({ script: works }));

function isSynced(notes: readonly Note[], at: number, isDue: (note: Note) => boolean): boolean {
  const { path } = notes[at] as Note;
  const later = notes.slice(at + 1);
  const due = later.findIndex(isDue);
  return later.slice(0, due === -1 ? undefined : due).some((note) => note.call === "sync" && note.path === path);
}
const placesOf = (notes: readonly Note[], isIt: (note: Note) => boolean): number[] =>
  notes.flatMap((note, at) => (isIt(note) ? [at] : []));
const isRecord = ({ call, path }: Note): boolean => call === "write" && path === journal;
const isDelegation = ({ types = [] }: Note): boolean => types.includes("delegated");
const isSyncedFor = (notes: readonly Note[], at: number, task: string): boolean =>
  isSynced(notes, at, ({ flushed = [] }) => flushed.includes(task));
const folderOf = (path: string): string => path.slice(0, path.lastIndexOf("/"));

function lostNames(notes: readonly Note[], names: RegExp): string[] {
  return placesOf(notes, ({ call, path }) => call === "rename" && names.test(path)).flatMap((at) => {
    const { path } = notes[at] as Note;
    return isSynced(notes.with(at, { call: "rename", path: folderOf(path) }), at, isRecord) ? [] : [path];
  });
}

describe.concurrent("what a run writes", () => {
  it("I13: is on disk as a record of a delegation before its executor starts", async () => {
    const { exitCode, notes } = await whole;
    expect(exitCode).toBe(0);
    const spawned = placesOf(notes, ({ call, path }) => call === "spawn" && path === "executor.sh");
    expect(spawned).toHaveLength(2);
    const delegated = placesOf(notes, isDelegation);
    expect(delegated.map((at) => isSynced(notes, at, ({ call }) => call === "spawn"))).toEqual([true, true]);
    expect(delegated.every((at, index) => at < (spawned[index] ?? 0))).toBe(true);
  });

  it("I13: is on disk as a tick before a record reports it", async () => {
    const { notes } = await whole;
    const ticks = placesOf(notes, ({ call, path }) => call === "write" && path === "spec/tasks.md");
    expect(ticks).toHaveLength(2);
    expect(notes.flatMap(({ flushed = [] }) => flushed)).toEqual(["1.1", "1.2"]);
    expect(ticks.map((at, index) => isSyncedFor(notes, at, `1.${index + 1}`))).toEqual([true, true]);
  });

  it("is synced once, as one line, between a pass and the next executor", async () => {
    const { notes } = await whole;
    const [first = 0, second = 0] = placesOf(notes, isDelegation);
    expect(notes[second]?.types).toEqual(["answered", "answered", "delegated"]);
    const between = notes.slice(first + 2, second + 2).filter(({ path }) => path === journal);
    expect(between.filter(({ call }) => call === "sync")).toHaveLength(1);
  });

  it("is on disk before it replaces a file", async () => {
    const { notes } = await whole;
    // A lease ends with its process, so it need not survive a power cut.
    const renamed = placesOf(notes, ({ call, path }) => call === "rename" && !path?.includes("/lease/"));
    // The log is renamed once and the state at least twice; the clock determines further renames of the state.
    expect(renamed.length).toBeGreaterThanOrEqual(3);
    const torn = renamed.filter((at) => {
      const { from } = notes[at] as Note;
      const last = notes.slice(0, at).findLastIndex(({ call, path }) => call === "write" && path === from);
      return last === -1 || !isSynced(notes.slice(0, at), last, () => false);
    });
    expect(torn.map((at) => notes[at])).toEqual([]);
  });

  it("is a progress log that is durable before a record reports it", async () => {
    const { notes } = await whole;
    // The first line creates its section by a rename; the second line is written in place.
    expect(placesOf(notes, ({ call, path }) => call === "rename" && path === "spec/.progress.md")).toHaveLength(1);
    const lines = placesOf(notes, ({ call, path }) => call === "write" && path === "spec/.progress.md");
    expect(isSyncedFor(notes, lines.at(-1) ?? 0, "1.2")).toBe(true);
    expect(lostNames(notes, /progress\.md$/)).toEqual([]);
  });

  it("is a plan with a fix that is durable before the fix is recorded", async () => {
    const script = `case $id in 1.1) touch one;; 1.2.1) touch two;; esac; [ -e two ] || [ $id = 1.1 ] && made || broke hard`;
    const { exitCode, notes } = await noted(projectWith({ script }), { words: ["--recovery-mode"] });
    expect(exitCode).toBe(0);
    expect(notes.filter(({ call, path }) => call === "rename" && path === "spec/tasks.md")).toHaveLength(1);
    expect(lostNames(notes, /tasks\.md$/)).toEqual([]);
  });

  it("is a summary that is durable before the next record", async () => {
    const script = `case "$prompt" in *"with both hands"*) ${works};; *) [ $id = 1.1 ] && touch one && made || broke hard;; esac`;
    const project = projectWith({ script });
    writeScript(project.workspace, "operator.sh", "cat > /dev/null; echo 'RETRY: with both hands'");
    const { exitCode, notes } = await noted(project, { words: ["--repair", "--operator-exec", "./operator.sh"] });
    expect(exitCode).toBe(0);
    expect(notes.filter(({ call, path }) => call === "rename" && path === "spec/SUMMARY.md")).toHaveLength(1);
    expect(lostNames(notes, /SUMMARY\.md$/)).toEqual([]);
  });

  it("is a file that keeps run data out of version control, from the start", async () => {
    const { notes } = await whole;
    const ignore = placesOf(notes, ({ call, path }) => call === "write" && path === "spec/.fixpoint/.gitignore");
    expect(ignore.map((at) => isSynced(notes, at, isRecord))).toEqual([true]);
  });
});

describe.concurrent("a record whose sync failed", () => {
  it("I28: is reverted, so that nothing counts without effect", async () => {
    const { notes: syncs } = await whole;
    const isData = ({ call, path }: Note): boolean => call === "sync" && path === journal;
    expect(syncs.find(isData)).toBeDefined();
    const project = projectWith({ script: works });
    const { exitCode, err, notes } = await noted(project, { refused: 1 });
    expect({ exitCode, err }).toEqual({ exitCode: 5, err: expect.stringMatching(/journal-1\.ndjson`: .*EIO/) });
    const at = notes.findIndex(({ call }) => call === "refused");
    expect(notes[at]).toEqual({ call: "refused", path: journal });
    expect(notes[at - 1]).toMatchObject({ call: "write", types: ["answered", "answered", "delegated"] });
    expect(notes[at + 1]).toEqual({ call: "truncate", path: journal });
    expect(recordsOf(project).map(({ type }) => type)).not.toContain("delegated");
    expect(existsSync(join(project.workspace, "delegations.log"))).toBe(false);
    expect((await run(project)).exitCode).toBe(0);
    expect(delegations(project)).toEqual(["1.1#1", "1.2#1"]);
    expect(read(project.tasks)).toBe(twoDone);
  });
});
