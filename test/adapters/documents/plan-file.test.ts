import { chmodSync, mkdirSync, rmSync, statSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { insertFixTask } from "../../../src/markdown/insert-fix-task.ts";
import { closeTask } from "../../../src/markdown/tick-task.ts";
import type { PlanChange } from "../../../src/model/plan-change.ts";
import { sampleFix } from "../../support/sample-fix.ts";
import { specOf } from "../spec-of.ts";

const plan = "# Tasks\n\n- [ ] 1.3 Größe lesen 📏\n  - **Verify**: `true`\n\n- [ ] 1.4 Use it\n";
const fixed = insertFixTask(plan, sampleFix);
const change: PlanChange = {
  task: "1.4",
  place: "before",
  tick: false,
  tasks: [{ id: "1.3.2", markers: [], title: "First", fields: { do: "It" } }],
};
const unheard = (): void => expect.unreachable("asked for the lease, though nothing is to be written");

type Store = ReturnType<ReturnType<typeof specOf>["open"]>;
const edits: [verb: string, text: string, edit: (store: Store) => ReturnType<Store["tick"]>][] = [
  ["ticks a task", plan, (store) => store.tick("1.3", true)],
  ["inserts a fix task", plan, (store) => store.insert(sampleFix)],
  ["closes a fix task", fixed, (store) => store.close("1.3.1", "1.3.2")],
  ["changes the plan", plan, (store) => store.change(change)],
];

async function endsAtOnce(doing: Promise<unknown>): Promise<boolean> {
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
  }, 0);
  await doing.catch(() => {});
  clearTimeout(timer);
  return !isLate;
}

describe("a plan as a file", () => {
  it.each([
    ["", (text: string): Buffer => Buffer.from(text)],
    ["after a byte order mark", (text: string) => Buffer.from(`\uFEFF${text}`)],
    ["after bytes that are not UTF-8", (text: string) => Buffer.concat([Buffer.from([0xff, 0x0a]), Buffer.from(text)])],
  ])("I7: gets a fix task, which is then closed, each in its place%s", async (_, bytes) => {
    const spec = specOf({ "tasks.md": bytes(plan) });
    const store = spec.open();
    await store.insert(sampleFix);
    expect(spec.bytes("tasks.md")).toEqual(bytes(fixed));
    await store.close("1.3.1", "1.3.2");
    expect(spec.bytes("tasks.md")).toEqual(bytes(closeTask(fixed, "1.3.1", "1.3.2")));
  });

  it.each(edits)(
    "I9: is read before and after an edit that %s, and unchanged by a second one",
    async (_, text, edit) => {
      const spec = specOf({ "tasks.md": text });
      const store = spec.open();
      const first = await store.read();
      const { before, after } = await edit(store);
      expect(before).toBe(first);
      expect(after.text).toBe(spec.text("tasks.md"));
      expect(after.text).not.toBe(text);
      expect(await store.read()).toBe(after);
      const again = await edit(store);
      expect([again.before, again.after]).toEqual([after, after]);
      expect((await edit(spec.open(unheard))).after.text).toBe(after.text);
    },
  );

  it.each(edits)("is refused with its path if it is missing when an edit %s", async (_, text, edit) => {
    const spec = specOf({ "tasks.md": text });
    const store = spec.open();
    await store.read();
    rmSync(spec.at("tasks.md"));
    const refusal = (verb: string) => ({
      code: "file-refused",
      message: expect.stringContaining(`Cannot ${verb} \`${spec.at("tasks.md")}\`: ENOENT`),
    });
    await expect(edit(store)).rejects.toMatchObject(refusal("write"));
    await expect(store.read()).rejects.toMatchObject(refusal("read"));
  });

  it.each<[string, (path: string) => void, object]>([
    [
      "more than 16 MiB",
      (path) => truncateSync(path, 16 * 1024 * 1024 + 1),
      { code: "plan-too-large", message: "expected no more than 16 MiB" },
    ],
    [
      "lists nested too deeply",
      (path) => writeFileSync(path, `${plan}\n${"> ".repeat(65)}x\n`),
      { code: "plan-too-deep", message: "expected no more than 64 levels" },
    ],
  ])(
    "is refused with its path if it contains %s",
    async (_, make, { code, message }: { code?: string; message?: string }) => {
      const spec = specOf({ "tasks.md": plan });
      make(spec.at("tasks.md"));
      await expect(spec.open().read()).rejects.toMatchObject({
        code,
        message: expect.stringContaining(`Cannot use \`${spec.at("tasks.md")}\`, ${message}`),
      });
    },
  );

  it("is read if it is read-only", async () => {
    const spec = specOf({ "tasks.md": plan });
    chmodSync(spec.at("tasks.md"), 0o444);
    expect((await spec.open().read()).text).toBe(plan);
  });

  it("is read again after a change that kept its length and its time", async () => {
    const spec = specOf({ "tasks.md": plan });
    const store = spec.open();
    await store.read();
    for (const word of ["Other", "Third"]) {
      writeFileSync(spec.at("tasks.md"), plan.replace("Tasks", word));
      utimesSync(spec.at("tasks.md"), 1_000_000_000, 1_000_000_000);
      expect((await store.read()).text).toContain(`# ${word}\n`);
    }
  });

  it("is the same object while its text is the same, whatever its time", async () => {
    const spec = specOf({ "tasks.md": plan });
    const store = spec.open();
    const found = await store.read();
    expect(await store.read()).toBe(found);
    utimesSync(spec.at("tasks.md"), 1, 1);
    expect(await store.read()).toBe(found);
  });

  it("keeps a time that a person has set until the plan changes", async () => {
    const spec = specOf({ "tasks.md": plan });
    utimesSync(spec.at("tasks.md"), 1, 1);
    const store = spec.open();
    await store.read();
    expect(statSync(spec.at("tasks.md")).mtimeMs).toBe(1000);
  });

  it.each<[string, string | null, boolean]>([
    ["blanks alone, at the first look", " \n\n", false],
    ["nothing, at the first look", "", false],
    ["no file, at the first look", null, false],
    ["blanks alone", " \n\n", true],
    ["fewer tasks", plan.slice(0, -20), true],
    ["no file", null, true],
  ])("is polled again if there is %s", async (_, half, isKnown) => {
    const spec = specOf({ "tasks.md": plan });
    const store = spec.open();
    if (isKnown) await store.read();
    if (half === null) rmSync(spec.at("tasks.md"));
    else writeFileSync(spec.at("tasks.md"), half);
    // `store.read()` polls at once; its next poll comes after the write below.
    const reading = store.read();
    writeFileSync(spec.at("tasks.md"), plan);
    expect((await reading).text).toBe(plan);
  });

  it("is read at once if it has as many tasks as before or more, and refused at once if it is not a file", async () => {
    const spec = specOf({ "tasks.md": plan });
    const store = spec.open();
    expect(await endsAtOnce(store.read())).toBe(true);
    for (const text of [plan.replace("Tasks", "Other"), `${plan}- [ ] 1.5 Print it\n`]) {
      writeFileSync(spec.at("tasks.md"), text);
      expect(await endsAtOnce(store.tick("1.3", true))).toBe(true);
      expect(spec.text("tasks.md")).toBe(text.replace("[ ] 1.3", "[x] 1.3"));
    }
    rmSync(spec.at("tasks.md"));
    mkdirSync(spec.at("tasks.md"));
    expect(await endsAtOnce(store.read())).toBe(true);
    await expect(store.read()).rejects.toMatchObject({ code: "file-refused" });
  });

  it("is accepted if two reads are equal after a torn one", async () => {
    const spec = specOf({ "tasks.md": "" });
    const reading = spec.open().read();
    writeFileSync(spec.at("tasks.md"), plan.slice(0, -20));
    // Write after the second poll and before the third, even on a slow machine.
    setTimeout(() => writeFileSync(spec.at("tasks.md"), plan), 15);
    expect((await reading).text).toBe(plan);
  });

  it("reports that it changed during the write, and that the next start reads it again", async () => {
    for (const edit of edits) {
      const spec = specOf({ "tasks.md": edit[1] });
      const store = spec.open(() => writeFileSync(spec.at("tasks.md"), `${edit[1]}\n- [ ] 1.5 By a person\n`));
      await expect(edit[2](store)).rejects.toMatchObject({
        name: "EnvironmentError",
        code: "plan-changed-underneath",
        message: `Cannot write \`${spec.at("tasks.md")}\`: the file was changed after it was read`,
        hint: expect.stringContaining("Run again"),
      });
      expect(spec.text("tasks.md")).toContain("By a person");
    }
  });
});
