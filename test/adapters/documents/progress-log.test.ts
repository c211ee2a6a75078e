import { chmodSync, existsSync, mkdirSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fileStore, makeProgress } from "../../../src/adapters/documents/file-store.ts";
import { appendEntry, newProgress } from "../../../src/markdown/progress/append-entry.ts";
import type { ProgressEntry } from "../../../src/ports/documents.ts";
import { hostileTexts, progressLogs } from "../../support/markdown-arbitraries.ts";
import { specOf } from "../spec-of.ts";

const log = "# Progress\n\n## Learnings\n- Old\n";
// `\uEFE4` represents an invalid UTF-8 byte.
const entry: ProgressEntry = { kind: "suggestion", task: "1.1", text: "Länge \uEFE4" };
const unheard = (): void => expect.unreachable("asked for the lease, though nothing is to be written");

describe("a progress log as a file", () => {
  it("begins with the name of its folder at the first entry", async () => {
    for (const files of [{}, { ".progress.md": "" }]) {
      const spec = specOf(files);
      const store = spec.open();
      expect(await store.progress()).toBe("");
      await store.append(entry);
      const text = appendEntry(newProgress(basename(spec.at("."))), entry);
      expect([spec.text(".progress.md"), await store.progress()]).toEqual([text, text]);
    }
  });

  it("is read again after a change, and contains an appended entry once", async () => {
    const spec = specOf({ ".progress.md": log });
    const store = spec.open();
    await store.append(entry);
    const { ino, mtimeNs } = statSync(spec.at(".progress.md"), { bigint: true });
    await store.append(entry);
    await spec.open(unheard).append(entry);
    expect(statSync(spec.at(".progress.md"), { bigint: true })).toMatchObject({ ino, mtimeNs });
    for (const word of ["New", "Sum"]) {
      const text = log.replace("Old", word);
      writeFileSync(spec.at(".progress.md"), text);
      utimesSync(spec.at(".progress.md"), 1, word === "New" ? 1 : 2);
      expect(await store.progress()).toBe(text);
    }
    rmSync(spec.at(".progress.md"));
    expect(await store.progress()).toBe("");
  });

  it("loses the zeros that a power cut left in place of its last bytes", async () => {
    for (const before of [log, log.replace("Old", "Länge"), "\u00ff"]) {
      const spec = specOf({ ".progress.md": `${before}${"\0".repeat(70)}` });
      const store = spec.open();
      expect([await store.progress(), spec.text(".progress.md")]).toEqual([before, before]);
      await store.append(entry);
      expect(spec.text(".progress.md")).toBe(appendEntry(before, entry));
    }
    const zeros = `${log}\0`;
    const spec = specOf({ ".progress.md": zeros });
    const lost = () => {
      throw new Error("taken over");
    };
    await expect(spec.open(lost).progress()).rejects.toThrow("taken over");
    expect(spec.text(".progress.md")).toBe(zeros);
  });

  const logs = fc.oneof(
    progressLogs,
    fc
      .record({
        filler: fc.nat(4200),
        bullet: fc.constantFrom("-", "*", "+"),
        rest: fc.constantFrom(
          "",
          log,
          "\n   x",
          "\r\n## B\r\n",
          `## Fix Task History\n- Task 1.2: 0 fixes attempted - Final: PASS\n\n${log}`,
        ),
      })
      .map(
        ({ filler, bullet, rest }) =>
          `# Ä${"x".repeat(filler)}\n\n## Completed Tasks\n\n${bullet} [x] 1.1 One\n\n${rest}`,
      ),
  );
  const task = fc.constantFrom("1.1", "1.2", "1.2.3", "1.2-x", "T001", "t001", "V4", "Task", "1.2~1", "a b");
  const entries: fc.Arbitrary<ProgressEntry> = fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({
        kind: fc.constant("completed" as const),
        task,
        title: fc.oneof(fc.string(), hostileTexts),
        commit: fc.constantFrom(null, "abc1234"),
      }),
    },
    fc.record({
      kind: fc.constant("fixes" as const),
      task,
      fixes: fc.constantFrom([], ["1.1.1"]),
      superseded: fc.constant([]),
      final: fc.constantFrom("PASS" as const, "FAIL (max limit)" as const),
    }),
  );
  it("gets each entry in the place that a reader of the whole log finds, even while others edit it", async () => {
    await fc.assert(
      fc.asyncProperty(
        logs,
        fc.array(fc.oneof(entries, fc.constantFrom("edited", "shown")), { maxLength: 12 }),
        async (text, steps) => {
          const spec = specOf({ ".progress.md": text });
          const store = spec.open();
          let expected = text;
          for (const step of steps) {
            if (step === "edited") {
              expected += "- A note\n";
              writeFileSync(spec.at(".progress.md"), expected);
            } else if (step === "shown") {
              expect((await store.progress(null, 100)).endsWith(expected.slice(-100))).toBe(true);
            } else {
              await store.append(step);
              const before = expected || newProgress(basename(spec.at(".")));
              const after = appendEntry(before, step);
              if (after !== before) expected = after;
            }
            expect(spec.text(".progress.md")).toBe(expected);
          }
          expect(await store.progress()).toBe(expected);
        },
      ),
    );
  });

  it("replaces a link by a new file, and does not write to the link's target", async () => {
    const spec = specOf({ "real.md": log });
    symlinkSync("real.md", spec.at(".progress.md"));
    const store = spec.open();
    expect(await store.progress()).toBe(log);
    rmSync(spec.at(".progress.md"));
    await store.append(entry);
    expect(spec.text("real.md")).toBe(log);
    expect(await store.progress()).toBe(appendEntry(newProgress(basename(spec.at("."))), entry));
  });

  it.each([
    ["an id that ends in a sentence", "1.1.- done by hand", "1.1"],
    ["an id in other letters", "\u212A1 done", "K1"],
    ["the word that begins a line of the history", "a", "TASK"],
  ])("gets a line next to that of %s in the place that a reader of the whole log finds", async (_, line, task) => {
    const text = `# P\n\n## Completed Tasks\n- [x] ${line}\n\n## Fix Task History\n- a\n\n## Learnings\n`;
    const spec = specOf({ ".progress.md": text });
    const store = spec.open();
    const told: ProgressEntry[] = [
      { kind: "fixes", task: "1.7", fixes: ["1.7.1"], superseded: [], final: "PASS" },
      { kind: "completed", task, title: "It", commit: null },
      { kind: "fixes", task, fixes: ["x"], superseded: [], final: "PASS" },
    ];
    for (const each of told) await store.append(each);
    expect(spec.text(".progress.md")).toBe(told.reduce(appendEntry, text));
  });

  it("is read if it is read-only, and keeps its mode when it is replaced", async () => {
    const spec = specOf({ ".progress.md": log });
    chmodSync(spec.at(".progress.md"), 0o444);
    const store = spec.open();
    expect(await store.progress()).toBe(log);
    await store.append(entry);
    expect(statSync(spec.at(".progress.md")).mode & 0o777).toBe(0o444);
  });

  it("merges the logs of members one after the other, and removes them", async () => {
    const spec = specOf({
      ".progress.md": log,
      ".progress-task-1.1.md": "- One\n",
      ".progress-task-1.2.md": "- Two\n",
    });
    const store = spec.open();
    expect([await store.progress("1.1"), await store.progress("1.3")]).toEqual(["- One\n", ""]);
    await store.merge(["1.1", "1.2", "1.3"]);
    expect(spec.text(".progress.md")).toBe(`${log}- One\n- Two\n`);
    expect(await store.progress()).toBe(`${log}- One\n- Two\n`);
    expect([await store.progress("1.1"), await store.progress("1.2")]).toEqual(["", ""]);
    expect(() => statSync(spec.at(".progress-task-1.1.md"))).toThrow("ENOENT");
  });

  it("names the file that the system refuses, and the operation", async () => {
    const refusal = (verb: string, path: string) => ({
      code: "file-refused",
      message: expect.stringMatching(new RegExp(`^Cannot ${verb} \`${path.replaceAll(".", "\\.")}\`: E[A-Z]+`)),
    });
    const spec = specOf({});
    symlinkSync("none.md", spec.at(".progress.md"));
    const store = spec.open();
    const refused = expect.objectContaining(refusal("write", spec.at(".progress.md")));
    expect(() => makeProgress(spec.at(".progress.md"), "demo")).toThrow(refused);
    expect(existsSync(spec.at("none.md"))).toBe(false);
    await expect(store.progress()).rejects.toMatchObject(refusal("read", spec.at(".progress.md")));
    await expect(store.append(entry)).rejects.toMatchObject(refusal("write", spec.at(".progress.md")));
    writeFileSync(spec.at(".progress-task-1.1.md"), "- New\n");
    await expect(store.merge(["1.1"])).rejects.toMatchObject(refusal("write", spec.at(".progress.md")));
    rmSync(spec.at(".progress.md"));
    rmSync(spec.at(".fixpoint"), { recursive: true });
    await expect(store.append(entry)).rejects.toMatchObject(refusal("write", spec.at(".progress.md")));
    const none = spec.at("none/.progress.md");
    expect(() => makeProgress(none, "demo")).toThrow(expect.objectContaining(refusal("write", none)));
    const inFile = fileStore({ folder: spec.at(".progress-task-1.1.md"), dataFolder: spec.at(".fixpoint") });
    const artifact = spec.at(".progress-task-1.1.md/design.md");
    await expect(inFile.artifact("design.md")).rejects.toMatchObject(refusal("read", artifact));
    const member = spec.at(".progress-task-1.1.md/.progress-task-1.2.md");
    await expect(inFile.progress("1.2")).rejects.toMatchObject(refusal("read", member));
  });

  it("keeps a folder with the name of a member's log", async () => {
    const spec = specOf({ ".progress.md": log });
    mkdirSync(spec.at(".progress-task-1.1.md"));
    await spec.open(unheard).merge(["1.1"]);
    expect(statSync(spec.at(".progress-task-1.1.md")).isDirectory()).toBe(true);
  });
});
