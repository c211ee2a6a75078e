import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { sealLine } from "../../src/adapters/journal/journal-line.ts";
import { readSegment } from "../../src/adapters/journal/journal-segment.ts";
import { readJournal } from "../../src/adapters/journal/read-journal.ts";
import { Policy } from "../../src/model/policy.ts";
import { noSeed } from "../../src/model/run-seed.ts";
import { launch, run as runApart, runUntil, runWords } from "../support/cli.ts";
import { run, runAgain } from "../support/cli-here.ts";
import { forgeHolder, takeJournal } from "../support/forced-lease.ts";
import { openRecords } from "../support/open-line.ts";
import { forgetHead } from "../support/owner-folder.ts";
import { copyOf, lastingFolder, type Project, projectWith, twoDone, twoTasks } from "../support/project.ts";
import { delegations, journalPath, read, recordsOf } from "../support/traces.ts";

/** Needs a fix for its second task; what it does follows from files alone. */
const recovers = `case $id in 1.2.1) touch two;; 1.1) touch one;; esac; [ -e two ] || [ $id = 1.1 ] && made || broke hard`;
const recovery = "--recovery-mode";

/** The project as it was when its journal ended at a byte: nothing behind it was done yet. */
function cutAt(project: Project, bytes: number): Project {
  const copy = copyOf(project);
  truncateSync(journalPath(copy), bytes);
  forgetHead(copy.spec);
  return copy;
}

const countIn = (lines: readonly string[]): number => lines.flatMap((line) => openRecords(line)).length;

describe.concurrent("a journal with a torn end", () => {
  it("leads to the same end, wherever it is torn", async () => {
    const whole = projectWith({ script: recovers });
    await runApart(whole, recovery);
    const plan = read(whole.tasks);
    const lines = read(journalPath(whole)).split("\n");
    const ends = lines.map((_, index) => Buffer.byteLength(`${lines.slice(0, index + 1).join("\n")}\n`));
    const path = journalPath(whole);
    const copy = join(lastingFolder(), "journal-1.ndjson");
    // Every byte of the last lines: what counts are the whole ones.
    for (let bytes = ends.at(-5) ?? 0; bytes < (ends.at(-2) ?? 0); bytes++) {
      copyFileSync(path, copy);
      truncateSync(copy, bytes);
      expect(readSegment(copy).records).toHaveLength(
        countIn(lines.slice(1, ends.filter((end) => end <= bytes).length)),
      );
    }
    for (const bytes of [ends.at(-3) ?? 0, (ends.at(-3) ?? 0) + 1, (ends.at(-4) ?? 0) + 30, (ends.at(-2) ?? 0) - 1]) {
      const torn = cutAt(whole, bytes);
      // The plan is further than the journal: boxes that it knows nothing of are not believed.
      const { exitCode, out } = await runAgain(torn);
      expect({ exitCode, out }).toEqual({ exitCode: 0, out: expect.stringContaining("ALL_TASKS_COMPLETE") });
      expect(read(torn.tasks)).toBe(plan);
      expect(delegations(torn).length).toBeLessThanOrEqual(5);
    }
  });

  it("ignores what a coordinator that was taken over writes afterwards", async () => {
    const project = projectWith({ script: "[ $id = 1.1 ] && touch one && made || broke hard" });
    await run(project, "--max-task-iterations", "1");
    const late = {
      n: 99,
      at: Date.now(),
      type: "answered",
      effect: "recordPass",
      key: "1.2#1/recordPass",
      answer: { kind: "recorded" },
    };
    await runAgain(project, "--max-task-iterations", "2");
    appendFileSync(journalPath(project), sealLine(late));
    const before = delegations(project);
    const { exitCode } = await runAgain(project, "--max-task-iterations", "3");
    expect(exitCode).toBe(1);
    expect(read(project.tasks)).toBe(twoTasks.replace("[ ] 1.1", "[x] 1.1"));
    expect(delegations(project)).toHaveLength(before.length + 1);
    expect(readJournal(project.data).records.some((record) => "key" in record && record.key === late.key)).toBe(false);
  });
});

describe("a coordinator that was taken over", () => {
  const facts = {
    policy: Policy.parse({}),
    planHash: "",

    open: 1,
    seed: noSeed,
  };

  it("may record and write nothing any more that counts", () => {
    const base = lastingFolder();
    const first = takeJournal(readJournal(base), 1, facts);
    const next = takeJournal(readJournal(base), 1, facts);
    const record = { type: "answered", effect: "verify", key: "1#1/verify", answer: { kind: "accepted" } } as const;
    const refused = expect.objectContaining({ code: "spec-taken-over" });
    expect(() => first.append([record], { durable: true })).toThrow(refused);
    expect(() => first.checkFence()).toThrow(refused);
    first.append([record], { durable: false });
    expect(readJournal(base).records).toEqual([]);
    next.append([record], { durable: true });
    expect(readJournal(base).records).toMatchObject([record]);
    first.close();
    next.close();
  });
});

describe.concurrent("a spec whose coordinator is on another machine", () => {
  it("is refused with exit code 4 until it is taken over", async () => {
    const project = projectWith();
    await runUntil(project, 30);
    forgeHolder(project.data, { host: "elsewhere" });
    const { exitCode, err } = await runAgain(project);
    expect({ exitCode, err }).toEqual({ exitCode: 4, err: expect.stringMatching(/on `elsewhere`.*\n.*--take-over/) });
    const taken = await runAgain(project, "--take-over");
    expect(taken).toMatchObject({
      exitCode: 0,
      out: expect.stringMatching(/^notice: Took the spec over from .* on `elsewhere`$/m),
    });
    expect(read(project.tasks)).toBe(twoDone);
  });
});

describe.concurrent("a run that is killed before one of its writes", () => {
  const reference = projectWith({ script: recovers });
  const undisturbed = run(reference, recovery);

  // The whole run has some 60 of them, more or fewer as time has it; `npm run campaign -- crashes` tries each of many runs.
  it.each([4, 12, 20, 28, 36, 44, 52])("comes to the same end, without a person: write %i", async (write) => {
    expect((await undisturbed).exitCode).toBe(0);
    const project = projectWith({ script: recovers });
    const killed = await runUntil(project, write, recovery);
    expect(killed.signal).toBe("SIGKILL");
    const agreed = existsSync(journalPath(project));
    const { exitCode, err } = await (agreed ? runAgain(project) : run(project, recovery));
    expect({ exitCode, err }).toEqual({ exitCode: 0, err: "" });
    expect(read(project.tasks)).toBe(read(reference.tasks));
    expect(read(project.progress)).toBe(read(reference.progress));
    const keys = delegations(project);
    expect(new Set(keys)).toEqual(new Set(delegations(reference)));
    expect(keys.length).toBeLessThanOrEqual(delegations(reference).length + 1);
  });

  it("finishes an insertion that it has only recorded, or made without recording that", async () => {
    const project = projectWith({ script: recovers });
    await runApart(project, recovery);
    const text = read(journalPath(project));
    const intended = text.indexOf("\n", text.indexOf('"type":"intended"')) + 1;
    const plan = read(project.tasks);
    const withFix = plan.replaceAll("[x]", "[ ]").replace("[ ] 1.1", "[x] 1.1");
    for (const found of [twoTasks.replace("[ ] 1.1", "[x] 1.1"), withFix]) {
      const cut = cutAt(project, intended);
      rmSync(join(cut.workspace, "two"));
      writeFileSync(cut.tasks, found);
      const { exitCode, err } = await runAgain(cut);
      expect({ exitCode, err }).toEqual({ exitCode: 0, err: "" });
      expect(read(cut.tasks)).toBe(plan);
      expect(recordsOf(cut, 2)[0]).toMatchObject({ type: "answered", effect: "insertFix", key: "1.2#1/insertFix" });
    }
  });

  it("knows what it had left although a later start was killed before it kept that", async () => {
    const project = projectWith({ script: `sed -i 's/\\[ \\]/[x]/' "$plan"; kill -9 $PPID; sleep 5` });
    await runApart(project, recovery);
    writeFileSync(project.tasks, read(project.tasks).replace("[x] 1.2", "[ ] 1.2"));
    // The tick is taken back before the first, and what the plan is then is not kept before any of them.
    for (const write of [6, 5, 6]) await runUntil(project, write);
    writeFileSync(join(project.workspace, "executor.sh"), read(join(reference.workspace, "executor.sh")));
    expect((await runAgain(project)).exitCode).toBe(0);
    expect(delegations(project)).toContain("1.2#2");
    expect(read(project.tasks)).toBe(read(reference.tasks));
  });

  it("leaves no folder of a run behind that never began", async () => {
    const project = projectWith();
    mkdirSync(join(project.data, "run-1"), { recursive: true });
    expect((await launch(project.workspace, runWords(project, "--yes")).end).exitCode).toBe(0);
    expect(readdirSync(project.data).sort()).toEqual([".gitignore", "lease", "run-1"]);
  });
});
