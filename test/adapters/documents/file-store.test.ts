import { execFileSync } from "node:child_process";
import {
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fileStore, makeProgress } from "../../../src/adapters/documents/file-store.ts";
import { draftPath } from "../../../src/adapters/files/write-atomic.ts";
import { EnvironmentError, InputError } from "../../../src/model/errors.ts";
import { progressName } from "../../../src/model/file-names.ts";
import type { PlanChange } from "../../../src/model/plan-change.ts";
import { temporaryFolder } from "../../support/folder.ts";
import { documents } from "../../support/markdown-arbitraries.ts";
import { prop } from "../../support/prop.ts";
import { specOf } from "../spec-of.ts";

const plan = "# Tasks\n\n- [ ] 1.1 Read\n  - **Verify**: `true`\n\n- [ ] 1.2 Print\n";
const newTask = (id: string, title: string) => ({ id, markers: [], title, fields: { do: "Größe 📏 lesen" } });
const split: PlanChange = {
  task: "1.1",
  place: "behind",
  tick: true,
  tasks: [newTask("1.1.1", "Read ü"), newTask("1.1.2", "Read ö")],
};
const insertion =
  "\n\n- [ ] 1.1.1 Read ü\n  - **Do**: Größe 📏 lesen\n\n- [ ] 1.1.2 Read ö\n  - **Do**: Größe 📏 lesen";
const taken = new Error("taken over");

describe("fileStore, changing a plan", () => {
  it.each<[string, Buffer, Buffer]>([
    [
      "a byte order mark and Windows line endings",
      Buffer.from(`\uFEFF${plan}`.replaceAll("\n", "\r\n")),
      Buffer.from(
        `\uFEFF${plan.replace("[ ] 1.1", "[x] 1.1").replace("\n\n- [ ] 1.2", `${insertion}\n\n- [ ] 1.2`)}`.replaceAll(
          "\n",
          "\r\n",
        ),
      ),
    ],
    [
      "characters of several bytes before it",
      Buffer.from(`Maß 📏\n\n${plan}`),
      Buffer.from(
        `Maß 📏\n\n${plan.replace("[ ] 1.1", "[x] 1.1").replace("\n\n- [ ] 1.2", `${insertion}\n\n- [ ] 1.2`)}`,
      ),
    ],
    [
      "bytes that are not UTF-8",
      Buffer.concat([Buffer.from([0xff, 0xc3, 0x0a, 0x0a]), Buffer.from(plan), Buffer.from([0x0a, 0xfe])]),
      Buffer.concat([
        Buffer.from([0xff, 0xc3, 0x0a, 0x0a]),
        Buffer.from(plan.replace("[ ] 1.1", "[x] 1.1").replace("\n\n- [ ] 1.2", `${insertion}\n\n- [ ] 1.2`)),
        Buffer.from([0x0a, 0xfe]),
      ]),
    ],
  ])("I7: keeps every other byte in a plan with %s", async (_, before, after) => {
    const spec = specOf({ "tasks.md": before });
    const store = spec.open();
    await store.change(split);
    expect(spec.bytes("tasks.md").toString("latin1")).toBe(after.toString("latin1"));
    // A tick succeeds only if the store's copy in memory equals the file.
    await store.tick("1.2", true);
    expect(spec.bytes("tasks.md").toString("latin1")).toBe(after.toString("latin1").replace("[ ] 1.2", "[x] 1.2"));
    expect((await store.read()).plan.tasks.map(({ id, done }) => [id, done])).toEqual([
      ["1.1", true],
      ["1.1.1", false],
      ["1.1.2", false],
      ["1.2", true],
    ]);
  });

  it("I9: writes nothing if another start has already made the change", async () => {
    const spec = specOf({ "tasks.md": plan });
    await spec.open().change(split);
    const [bytes, { ino, mtimeNs }] = [spec.bytes("tasks.md"), statSync(spec.at("tasks.md"), { bigint: true })];
    const { before, after } = await spec.open(() => expect.unreachable()).change(split);
    expect(after).toBe(before);
    expect(spec.bytes("tasks.md")).toEqual(bytes);
    expect(statSync(spec.at("tasks.md"), { bigint: true })).toMatchObject({ ino, mtimeNs });
  });

  it("I9: changes nothing if it is killed before the plan is replaced, and makes the whole change later", async () => {
    const spec = specOf({ "tasks.md": plan });
    await expect(
      spec
        .open(() => {
          throw taken;
        })
        .change(split),
    ).rejects.toBe(taken);
    writeFileSync(draftPath(spec.at(".fixpoint"), "replacement"), "- [ ] 1.1.1 hal");
    expect(spec.text("tasks.md")).toBe(plan);
    await spec.open().change(split);
    expect(spec.text("tasks.md")).toContain(insertion);
    expect(readdirSync(spec.at(".fixpoint"))).toEqual([]);
  });

  it("does not lose a tick in a file that replaces the plan between read and write", async () => {
    const spec = specOf({ "tasks.md": plan });
    let isReplaced = false;
    const store = spec.open(() => {
      if (isReplaced) return;
      isReplaced = true;
      writeFileSync(spec.at("other.md"), plan.replace("[ ] 1.2", "[x] 1.2"));
      renameSync(spec.at("other.md"), spec.at("tasks.md"));
    });
    await expect(store.tick("1.1", true)).rejects.toMatchObject({ code: "plan-changed-underneath" });
    await store.tick("1.1", true);
    expect((await store.read()).plan.tasks.map(({ done }) => done)).toEqual([true, true]);
    expect(spec.text("tasks.md")).toBe(plan.replaceAll("[ ]", "[x]"));
  });

  it("does not lose a change made between read and write", async () => {
    const spec = specOf({ "tasks.md": plan });
    const edited = `${plan}\n- [ ] 1.3 By a person\n`;
    const store = spec.open(() => writeFileSync(spec.at("tasks.md"), edited));
    await expect(store.change(split)).rejects.toMatchObject({ code: "plan-changed-underneath" });
    expect(spec.text("tasks.md")).toBe(edited);
  });
});

describe("fileStore, ticking in place", () => {
  it("does not overwrite a different text that has the time and length of the previous one", async () => {
    const spec = specOf({});
    const put = (text: string): void => {
      writeFileSync(spec.at("tasks.md"), text);
      utimesSync(spec.at("tasks.md"), 1_000_000_000, 1_000_000_000);
    };
    put(`${plan}ab\n`);
    const moved = `ab\n${plan}`;
    const store = spec.open(() => put(moved));
    await expect(store.tick("1.1", true)).rejects.toMatchObject({ code: "plan-changed-underneath" });
    expect(spec.text("tasks.md")).toBe(moved);
  });
});

describe("fileStore, while an editor saves the plan in place", () => {
  const longer = `${plan}- [ ] 1.3 Write\n`;
  const go = (spec: ReturnType<typeof specOf>, ...states: readonly (string | null)[]): void => {
    const [state, ...rest] = states;
    if (state === undefined) return;
    if (state === null) rmSync(spec.at("tasks.md"), { force: true });
    else writeFileSync(spec.at("tasks.md"), state);
    setTimeout(() => go(spec, ...rest), 30);
  };
  const ids = async (store: ReturnType<ReturnType<typeof specOf>["open"]>): Promise<string[]> =>
    (await store.read()).plan.tasks.map(({ id }) => id);

  it.each([
    ["empty", ["", longer]],
    ["half written", [longer.slice(0, 30), longer.slice(0, 60), longer]],
    ["gone", [null, longer]],
    ["gone, then empty", [null, "", longer]],
  ])("waits for the rest of a plan that is %s", async (_, states) => {
    const spec = specOf({ "tasks.md": longer });
    const store = spec.open();
    expect(await ids(store)).toEqual(["1.1", "1.2", "1.3"]);
    go(spec, ...states);
    expect(await ids(store)).toEqual(["1.1", "1.2", "1.3"]);
    go(spec, ...states);
    await store.tick("1.2", true);
    go(spec, ...states.slice(0, -1), spec.text("tasks.md"));
    await store.change(split);
    expect((await store.read()).plan.tasks).toHaveLength(5);
  });

  it("waits for the rest at the first read too", async () => {
    const spec = specOf({ "tasks.md": plan });
    go(spec, "", plan);
    expect(await ids(spec.open())).toEqual(["1.1", "1.2"]);
  });

  it("accepts a stable change: fewer tasks, an empty plan, a missing plan", async () => {
    const spec = specOf({ "tasks.md": longer });
    const store = spec.open();
    await store.read();
    writeFileSync(spec.at("tasks.md"), plan);
    expect(await ids(store)).toEqual(["1.1", "1.2"]);
    writeFileSync(spec.at("tasks.md"), "");
    expect(await ids(store)).toEqual([]);
    rmSync(spec.at("tasks.md"));
    await expect(store.read()).rejects.toMatchObject({ code: "file-refused" });
    expect(await ids(specOf({ "tasks.md": "" }).open())).toEqual([]);
  });
});

describe("fileStore, for every plan", () => {
  const bytes = fc
    .array(fc.constantFrom(0xff, 0xc3, 0x0a, 0x20, 0x80), { maxLength: 6 })
    .map((all) => Buffer.from(all));
  const shared = (one: Buffer, other: Buffer): number => {
    const at = one.findIndex((byte, index) => byte !== other[index]);
    return at < 0 ? one.length : at;
  };

  const withoutBoxes = (content: Buffer): Buffer =>
    Buffer.from(content.toString("latin1").replaceAll("[ ]", "[x]"), "latin1");

  prop(
    "I7: a change sets the boxes of one task and inserts in one place, and does nothing when repeated",
    [documents, bytes, fc.nat(9)],
    async (text, tail, which) => {
      const content = Buffer.concat([Buffer.from(text), tail]);
      const spec = specOf({ "tasks.md": content });
      const store = spec.open();
      const { tasks } = (await store.read()).plan;
      const named = tasks.filter(({ id }) => id === tasks[which % tasks.length]?.id);
      // Of several tasks with the same id, the store changes the open one.
      const task = named.find(({ done }) => !done) ?? named[0];
      if (task === undefined) return;
      const change = { ...split, task: task.id, tasks: [newTask(`${task.id}.901`, "Größe ß 📏")] };
      try {
        await store.change(change);
      } catch (error) {
        expect(error).toBeInstanceOf(InputError);
        expect(spec.bytes("tasks.md")).toEqual(content);
        return;
      }
      const after = spec.bytes("tasks.md");
      const ticked = Buffer.from(content);
      if (!task.done) ticked.write("x", Buffer.byteLength(text.slice(0, task.box)));
      // Ignore boxes, because a tick of a task also ticks the boxes of its checks.
      const [before, now] = [withoutBoxes(ticked), withoutBoxes(after)];
      const same = shared(before, now) + shared(Buffer.from(before).reverse(), Buffer.from(now).reverse());
      expect(same).toBeGreaterThanOrEqual(ticked.length);
      const others = (plan: {
        readonly tasks: readonly { readonly id: string; readonly done: boolean }[];
      }): boolean[] => plan.tasks.filter(({ id }) => id !== task.id && id !== `${task.id}.901`).map(({ done }) => done);
      expect(others((await spec.open().read()).plan)).toEqual(others({ tasks }));
      await spec.open(() => expect.unreachable()).change(change);
      expect(spec.bytes("tasks.md")).toEqual(after);
    },
  );
});

describe("fileStore, logs of members", () => {
  const log = "# Progress\n\n## Learnings\n- Old\n";
  const secret = "- A secret\n";

  it.each<[string, (path: string, other: string) => void, boolean]>([
    ["a symbolic link", (path, other) => symlinkSync(other, path), true],
    ["a link to nothing", (path, other) => symlinkSync(`${other}-not`, path), true],
    ["a hard link", (path, other) => linkSync(other, path), true],
    ["a pipe without a writer", (path) => execFileSync("mkfifo", [path]), true],
    ["a folder", (path) => mkdirSync(path), false],
  ])("T10: merges nothing from %s, and does not block", async (_, make, removed) => {
    const spec = specOf({ "tasks.md": plan, ".progress.md": log, "secret.md": secret });
    make(spec.at(".progress-task-1.1.md"), spec.at("secret.md"));
    const store = spec.open();
    expect(await store.progress("1.1")).toBe("");
    await store.merge(["1.1"]);
    expect(spec.text(".progress.md")).toBe(log);
    expect(spec.text("secret.md")).toBe(secret);
    expect(lstatSync(spec.at(".progress-task-1.1.md"), { throwIfNoEntry: false }) === undefined).toBe(removed);
  });

  it("reads the first MiB of a log, up to a whole line", async () => {
    const line = `- ${"x".repeat(61)}\n`;
    const spec = specOf({ ".progress-task-1.1.md": `abc\n${line.repeat(17_000)}` });
    const read = await spec.open().progress("1.1");
    expect(read).toBe(`abc\n${line.repeat(Math.floor((1024 * 1024 - 4) / line.length))}`);
  });

  it("finds the log of an id that looks like a path", async () => {
    const spec = specOf({ ".progress-task-..%2Fü%.md": "no", ".progress-task-..%2F%C3%BC.md": "- It\n" });
    expect(await spec.open().progress("../ü")).toBe("- It\n");
  });

  it("keeps the logs of members if the progress log cannot be written", async () => {
    const spec = specOf({ ".progress.md": log, ".progress-task-1.1.md": "- New\n" });
    const store = spec.open(() => {
      throw taken;
    });
    await expect(store.merge(["1.1"])).rejects.toBe(taken);
    expect([spec.text(".progress.md"), existsSync(spec.at(".progress-task-1.1.md"))]).toEqual([log, true]);
    await spec.open().merge(["1.1"]);
    expect(spec.text(".progress.md")).toBe(`${log}- New\n`);
  });

  it("creates no log if there is nothing to merge", async () => {
    const spec = specOf({ "tasks.md": plan });
    await spec.open().merge(["1.1"]);
    expect(existsSync(spec.at(".progress.md"))).toBe(false);
  });

  it("are merged into a progress log that is created if it is missing, or was left empty by a killed start", () => {
    const spec = specOf({ "empty.md": "", "old.md": "- Old\n", "shared.md": "" });
    linkSync(spec.at("shared.md"), spec.at("hard.md"));
    symlinkSync("shared.md", spec.at("link.md"));
    const names = ["new.md", "empty.md", "old.md"];
    for (const name of names) makeProgress(spec.at(name), "demo");
    const begun = expect.stringMatching(/^# Progress: demo\n/);
    expect(names.map(spec.text)).toEqual([begun, begun, "- Old\n"]);
    for (const name of ["hard.md", "link.md"]) {
      expect(() => makeProgress(spec.at(name), "demo")).toThrow(expect.objectContaining({ code: "file-refused" }));
      expect(spec.text(name)).toBe("");
    }
  });

  it("I7: keeps a log that is not UTF-8 byte for byte", async () => {
    const old = Buffer.concat([Buffer.from([0xff, 0xe4, 0x0a]), Buffer.from("\n## Learnings\n- Old\n")]);
    const spec = specOf({ ".progress.md": old, ".progress-task-1.1.md": "- Größe 📏\n" });
    const store = spec.open();
    await store.merge(["1.1"]);
    expect(spec.bytes(".progress.md")).toEqual(Buffer.concat([old, Buffer.from("- Größe 📏\n")]));
    await store.append({ kind: "suggestion", task: "1.1", text: "Länge" });
    await store.append({ kind: "reality", task: "1.1", command: "grep ü", exitCode: 0, output: "ö" });
    await store.append({ kind: "completed", task: "1.1", title: "Breite", commit: null });
    const after = spec.bytes(".progress.md");
    expect(after.subarray(0, 3)).toEqual(old.subarray(0, 3));
    for (const text of ["Länge", "grep ü", "\nö\n", "Breite"]) expect(after.includes(text)).toBe(true);
  });
});

describe("fileStore, artifacts", () => {
  it.each<[string, (path: string, other: string) => void]>([
    ["a symbolic link", (path, other) => symlinkSync(other, path)],
    ["a hard link", (path, other) => linkSync(other, path)],
    ["a pipe", (path) => execFileSync("mkfifo", [path])],
    ["a folder", (path) => mkdirSync(path)],
  ])("T10: reads nothing from %s", async (_, make) => {
    const spec = specOf({ "secret.md": "A secret\n" });
    make(spec.at("design.md"), spec.at("secret.md"));
    expect(await spec.open().artifact("design.md")).toBeNull();
  });
});

describe("fileStore, its own files", () => {
  const log = "# Progress\n\n## Learnings\n- Old\n";
  const refusal = { name: "EnvironmentError", code: "file-refused", hint: expect.stringContaining("a regular file") };

  const others: [string, (path: string, other: string) => void][] = [
    ["a link out of the folder", (path, other) => symlinkSync(other, path)],
    ["a hard link", (path, other) => linkSync(other, path)],
    ["a pipe without a writer", (path) => execFileSync("mkfifo", [path])],
    ["a folder", (path) => mkdirSync(path)],
  ];

  it.each(others)("T10, I23: neither reads nor writes a log that has become %s", async (_, make) => {
    const spec = specOf({ "tasks.md": plan, ".progress.md": log, ".progress-task-1.1.md": "- New\n" });
    const other = join(temporaryFolder(), "other.md");
    writeFileSync(other, log);
    const store = spec.open();
    expect(await store.progress()).toBe(log);
    rmSync(spec.at(".progress.md"));
    make(spec.at(".progress.md"), other);
    await expect(store.progress()).rejects.toMatchObject(refusal);
    await expect(store.append({ kind: "suggestion", task: "1.1", text: "x" })).rejects.toMatchObject(refusal);
    await expect(store.merge(["1.1"])).rejects.toMatchObject(refusal);
    expect(readFileSync(other, "utf8")).toBe(log);
    expect(existsSync(spec.at(".progress-task-1.1.md"))).toBe(true);
  });

  it.each(others)("T10, I23: neither reads nor writes a plan that has become %s", async (_, make) => {
    const spec = specOf({ "tasks.md": plan });
    const other = join(temporaryFolder(), "other.md");
    writeFileSync(other, plan);
    const store = spec.open();
    await store.read();
    rmSync(spec.at("tasks.md"));
    make(spec.at("tasks.md"), other);
    await expect(store.read()).rejects.toMatchObject(refusal);
    await expect(store.tick("1.2", true)).rejects.toMatchObject(refusal);
    await expect(store.change(split)).rejects.toMatchObject(refusal);
    expect(readFileSync(other, "utf8")).toBe(plan);
  });

  it("T10, I23: does not write through a link created between read and write", async () => {
    const spec = specOf({ "tasks.md": plan, ".progress.md": log });
    const other = join(temporaryFolder(), "other.md");
    writeFileSync(other, plan);
    const swap = (name: string) => (): void => {
      rmSync(spec.at(name));
      symlinkSync(other, spec.at(name));
    };
    await spec.open(swap(".progress.md")).append({ kind: "suggestion", task: "1.1", text: "x" });
    expect(spec.text(".progress.md")).toContain("Old");
    await expect(spec.open(swap("tasks.md")).tick("1.2", true)).rejects.toMatchObject({ code: "file-refused" });
    rmSync(spec.at("tasks.md"));
    writeFileSync(spec.at("tasks.md"), plan);
    await expect(spec.open(swap("tasks.md")).change(split)).rejects.toBeInstanceOf(EnvironmentError);
    expect(readFileSync(other, "utf8")).toBe(plan);
  });

  it("follows a link to a file inside the folder, and keeps the link", async () => {
    const spec = specOf({ "plan.md": plan, "log.md": log });
    symlinkSync("plan.md", spec.at("tasks.md"));
    symlinkSync("log.md", spec.at(".progress.md"));
    const store = spec.open();
    await store.tick("1.2", true);
    await store.change(split);
    await store.append({ kind: "suggestion", task: "1.1", text: "Länge" });
    expect(realpathSync(spec.at("tasks.md"))).toBe(realpathSync(spec.at("plan.md")));
    expect(realpathSync(spec.at(".progress.md"))).toBe(realpathSync(spec.at("log.md")));
    expect(lstatSync(spec.at("plan.md")).isFile()).toBe(true);
    expect(spec.text("plan.md")).toContain("[x] 1.2");
    expect(spec.text("plan.md")).toContain("1.1.2");
    expect(spec.text("log.md")).toContain("Länge");
    expect(await store.progress()).toBe(spec.text("log.md"));
  });

  it("finds its files in a folder reached by a link", async () => {
    const spec = specOf({ "tasks.md": plan, ".progress.md": log });
    const link = join(temporaryFolder(), "link");
    symlinkSync(spec.at("."), link);
    const store = fileStore({ folder: link, dataFolder: join(link, ".fixpoint") });
    expect((await store.tick("1.2", true)).after.text).toContain("[x] 1.2");
    expect(await store.progress()).toBe(log);
  });

  it("merges the log of a member with an id of 300 characters", async () => {
    const member = "1".repeat(300);
    const spec = specOf({ ".progress.md": log });
    writeFileSync(spec.at(progressName(member)), "- New\n");
    await spec.open().merge([member]);
    expect(spec.text(".progress.md")).toBe(`${log}- New\n`);
  });
});
