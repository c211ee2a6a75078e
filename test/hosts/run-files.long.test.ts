import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readJournal } from "../../src/adapters/journal/read-journal.ts";
import { Policy } from "../../src/model/policy.ts";
import { noSeed } from "../../src/model/run-seed.ts";
import { atWork, launch, run as runApart, runWords } from "../support/cli.ts";
import { run, runAgain } from "../support/cli-here.ts";
import { takeJournal } from "../support/forced-lease.ts";
import { mountSmall } from "../support/mount-small.ts";
import { lastingFolder, projectWith, twoDone, twoTasks, works, writeExecutor } from "../support/project.ts";
import { contentOf, delegations, journalPath, read, recordsIn, recordsOf } from "../support/traces.ts";

const recovers = `case $id in 1.2.1) touch two;; 1.1) touch one;; esac; [ -e two ] || [ $id = 1.1 ] && made || broke "it's hard"`;

describe.concurrent("the files of a run", () => {
  it("are ignored by version control, and views can be deleted", async () => {
    const project = projectWith({ script: recovers });
    expect((await run(project, "--recovery-mode")).exitCode).toBe(0);
    expect(read(join(project.data, ".gitignore"))).toBe("*\n");
    expect(statSync(project.data).mode & 0o777).toBe(0o700);
    expect(existsSync(project.state)).toBe(false);
    expect(read(project.progress)).toBe(
      [
        "# Progress: spec\n\n## Completed Tasks\n- [x] 1.1 First\n- [x] 1.2.1 Fix: it's hard\n- [x] 1.2 Second\n",
        "\n## Fix Task History\n- Task 1.2: 1 fix attempted (1.2.1) - Final: PASS\n\n## Learnings\n",
      ].join(""),
    );
    const names = Object.keys(contentOf(project.data)).map((path) => path.slice(project.data.length + 1));
    expect(names.filter((name) => !name.startsWith("run-1/out")).sort()).toEqual([
      ".gitignore",
      "lease",
      "lease/1",
      "lease/1/holders.json",
      "run-1",
      "run-1/journal-1.ndjson",
      "run-1/plan.md",
    ]);
  });

  it("keep what others wrote into the state file, also during the run", async () => {
    const script = `node -e '
      const fs = require("fs"), path = process.env.FIXPOINT_SPEC + "/.ralph-state.json";
      fs.writeFileSync(path + ".new", JSON.stringify({ ...JSON.parse(fs.readFileSync(path)), during: [1] }));
      fs.renameSync(path + ".new", path);
    '; cp "$FIXPOINT_SPEC/.ralph-state.json" "state-$id.json"; ${works}`;
    const project = projectWith({ script });
    writeFileSync(project.state, JSON.stringify({ phase: "execution", mine: { deep: null }, source: "spec" }));
    expect((await runApart(project)).exitCode).toBe(0);
    const state = JSON.parse(read(join(project.workspace, "state-1.2.json")));
    expect(state).toMatchObject({ mine: { deep: null }, source: "spec", during: [1], taskIndex: 1, totalTasks: 2 });
  });

  it("show a task in the state file before its executor starts, even if flushes are slow", async () => {
    const plan = Array.from({ length: 11 }, (_, index) => `- [ ] 1.${index + 1} Task\n`).join("");
    const script = `cp "$FIXPOINT_SPEC/.ralph-state.json" "state-$FIXPOINT_KEY.json"
      [ $id != 1.2 ] || [ -e broke ] && made || { touch broke; broke it; }`;
    const project = projectWith({ plan, script });
    const preload = join(import.meta.dirname, "../support/slow-flush.mjs");
    const env = { NODE_OPTIONS: `--import ${preload}`, SLOW_FLUSH_MS: "1000" };
    const { exitCode, err } = await launch(project.workspace, runWords(project, "--yes", "--recovery-mode"), env).end;
    expect({ exitCode, err }).toMatchObject({ exitCode: 0 });
    const keys = delegations(project);
    expect(keys.slice(0, 4)).toEqual(["1.1#1", "1.2#1", "1.2.1#1", "1.2#2"]);
    const shown = keys.map((key) => JSON.parse(read(join(project.workspace, `state-${key}.json`))));
    const fixTaskMap = { "1.2": { attempts: 1, fixTaskIds: ["1.2.1"], lastError: "it" } };
    expect(shown).toEqual(
      // A fix shares the index of its task, but increases the index of all later tasks.
      [0, 1, 1, 1, 3, 4, 5, 6, 7, 8, 9, 10, 11].map((taskIndex, index) =>
        expect.objectContaining({
          taskIndex,
          globalIteration: index + 2,
          totalTasks: index < 2 ? 11 : 12,
          fixTaskMap: index < 2 ? {} : fixTaskMap,
        }),
      ),
    );
  });

  it("continue a half-finished run of the source system", async () => {
    const plan = [
      "- [x] 1.1 First\n",
      "- [ ] 1.2 Second\n  - **Verify**: `test -e two`\n",
      "- [x] 1.2.1 [FIX 1.2] Fix: it\n",
    ].join("");
    const project = projectWith({ plan, script: "[ $id = 1.2 ] && broke again || broke otherwise" });
    const state = {
      phase: "execution",
      taskIndex: 1,
      totalTasks: 3,
      taskIteration: 1,
      globalIteration: 5,
      recoveryMode: true,
      maxFixTasksPerOriginal: 2,
      maxFixTaskDepth: 1,
      fixTaskMap: { "1.2": { attempts: 1, fixTaskIds: ["1.2.1"], lastError: "it" } },
      commitSpec: true,
    };
    writeFileSync(project.state, JSON.stringify(state));
    const { exitCode, err } = await run(project);
    expect({ exitCode, err }).toEqual({ exitCode: 1, err: expect.stringContaining("Max fix task depth (1)") });
    expect(JSON.parse(read(project.state))).toMatchObject({
      commitSpec: true,
      recoveryMode: true,
      globalIteration: 7,
      totalTasks: 4,
      fixTaskMap: { "1.2": { attempts: 2, fixTaskIds: ["1.2.1", "1.2.2"] } },
    });
  });

  it("are rebuilt from the journal if the state file is corrupt, which is reported", async () => {
    const project = projectWith({ script: "[ $id = 1.1 ] && touch one && made || broke it" });
    await run(project, "--max-task-iterations", "1");
    writeFileSync(project.state, '{"taskIndex": ');
    const { exitCode, out } = await runAgain(project, "--max-task-iterations", "2");
    expect({ exitCode, out }).toEqual({
      exitCode: 1,
      out: expect.stringContaining(`${project.state} was not readable`),
    });
    expect(JSON.parse(read(project.state))).toMatchObject({ taskIndex: 1, globalIteration: 4, maxTaskIterations: 2 });
  });

  it("keep the line endings of a plan, also in added lines", async () => {
    const plan = twoTasks.replaceAll("\n", "\r\n");
    const project = projectWith({ plan, script: recovers });
    expect((await run(project, "--recovery-mode")).exitCode).toBe(0);
    const after = read(project.tasks);
    expect(after.split("\r\n").length).toBe(after.split("\n").length);
    expect(after).toContain("- [x] 1.2.1 [FIX 1.2]");
  });

  it("keep bytes of a plan and a log that are not UTF-8", async () => {
    const odd = Buffer.from([0xff, 0x20, 0xc3, 0x28, 0x0a]);
    const bytes = (text: string): Buffer => Buffer.concat([Buffer.from(text), odd, Buffer.from("\u00e9\u{1f600}\n")]);
    const project = projectWith({ plan: bytes(twoTasks), script: works });
    writeFileSync(project.progress, bytes("# Progress: spec\n\n## Learnings\n"));
    expect((await run(project)).exitCode).toBe(0);
    expect(readFileSync(project.tasks)).toEqual(bytes(twoDone));
    const lines = "## Completed Tasks\n- [x] 1.1 First\n- [x] 1.2 Second\n\n";
    expect(readFileSync(project.progress)).toEqual(bytes(`# Progress: spec\n\n${lines}## Learnings\n`));
  });

  it("store replies of any length, also for a start that resumes", async () => {
    const script = `case $FIXPOINT_KEY in
      1.1#1) head -c 300000 /dev/zero | tr '\\0' 'x'; echo; echo remember-this; broke it ;;
      1.1#2) [ -e go ] || { touch started; sleep 60; }; case "$prompt" in *remember-this*) ${works} ;; esac ;;
      *) ${works} ;;
    esac`;
    const project = projectWith({ script });
    const { child, end } = await atWork(project);
    child.kill("SIGKILL");
    await end;
    writeFileSync(join(project.workspace, "go"), "");
    expect((await runAgain(project)).exitCode).toBe(0);
    expect(delegations(project)).toEqual(["1.1#1", "1.1#2", "1.1#2", "1.2#1"]);
    expect(statSync(journalPath(project)).size).toBeLessThan(20_000);
  });
});

describe("an unusable environment", () => {
  it("ends the run with exit code 5 before any work if there is no shell for Verify", async () => {
    const project = projectWith();
    const env = { PATH: project.spec };
    const { exitCode, err } = await launch(project.workspace, runWords(project, "--yes"), env).end;
    expect({ exitCode, err }).toEqual({ exitCode: 5, err: expect.stringMatching(/`sh` on the PATH\n.*\/bin\n$/) });
    expect(delegations(project)).toEqual([]);
    expect(existsSync(project.data)).toBe(false);
  });

  it("ends the run with exit code 5, path and reason if the folder of the run data cannot be created", async () => {
    const project = projectWith();
    writeFileSync(project.data, "in the way");
    const { exitCode, err } = await run(project);
    expect({ exitCode, err }).toEqual({
      exitCode: 5,
      err: expect.stringMatching(/\.fixpoint`, expected a folder, found a file/),
    });
    expect(delegations(project)).toEqual([]);
    rmSync(project.data);
    expect((await run(project)).exitCode).toBe(0);
  });

  it("ends the run with exit code 5 if its log cannot be replaced, and the run resumes once it can", async () => {
    const project = projectWith();
    mkdirSync(join(project.progress, "in-the-way"), { recursive: true });
    const { exitCode, err } = await run(project);
    expect({ exitCode, err }).toEqual({
      exitCode: 5,
      err: expect.stringMatching(/\.progress\.md`, expected a regular file/),
    });
    rmSync(project.progress, { recursive: true });
    expect((await runAgain(project)).exitCode).toBe(0);
    expect(read(project.tasks)).toBe(twoDone);
    expect(read(project.progress)).toContain("- [x] 1.1 First\n- [x] 1.2 Second\n");
  });

  it("ends the run with exit code 5 if its view cannot be written, and records that", async () => {
    const project = projectWith({
      script: `[ -e one ] || until mkdir -p spec/.ralph-state.json/x; do rm -f spec/.ralph-state.json; done; ${works}`,
    });
    const { exitCode, err } = await run(project);
    expect({ exitCode, err }).toEqual({
      exitCode: 5,
      err: expect.stringMatching(/\.ralph-state\.json`, .* found a folder/),
    });
    expect(recordsOf(project).at(-1)).toMatchObject({ type: "ended", ending: { outcome: "environment" } });
    rmSync(project.state, { recursive: true });
    expect((await runAgain(project)).exitCode).toBe(0);
    expect(read(project.tasks)).toBe(twoDone);
  });

  it("ends the run with exit code 5 if an executor cannot be started, and retries the attempt", async () => {
    const project = projectWith({ script: `[ $id = 1.1 ] && chmod -x executor.sh; ${works}` });
    const { exitCode, err } = await run(project);
    expect({ exitCode, err }).toEqual({ exitCode: 5, err: expect.stringContaining("executor.sh") });
    chmodSync(join(project.workspace, "executor.sh"), 0o755);
    expect((await runAgain(project)).exitCode).toBe(0);
    const records = recordsOf(project, 2).slice(0, 2);
    expect(records).toMatchObject([{ type: "continued" }, { type: "delegated", key: "1.2#1" }]);
  });

  it("ends the run with exit code 5 if the disk is full, and the run resumes once there is space", async ({ skip }) => {
    const project = projectWith();
    if (!mountSmall(project.spec, "2m")) skip("no file system can be mounted here");
    writeFileSync(project.tasks, twoTasks);
    const filler = join(project.spec, "filler");
    writeExecutor(project.workspace, `[ $id = 1.2 ] && head -c 4000000 /dev/zero > ${filler}; ${works}`);
    const { exitCode, err } = await run(project);
    expect({ exitCode, err }).toEqual({
      exitCode: 5,
      // Either the output of a command or the journal meets the full disk first.
      err: expect.stringMatching(/Cannot (?:write .*ENOSPC|store the output .*(?:ENOSPC|left on its disk))/),
    });
    expect(read(project.tasks).match(/\[.\] 1/g)).toEqual(["[x] 1", "[ ] 1"]);
    rmSync(filler);
    writeExecutor(project.workspace, works);
    expect((await runAgain(project)).exitCode).toBe(0);
    expect(read(project.tasks)).toBe(twoDone);
  });

  it("numbers its records without a gap after one that did not fit on the disk", ({ skip }) => {
    const base = lastingFolder();
    if (!mountSmall(base)) skip("no file system can be mounted here");
    const facts = { policy: Policy.parse({}), planHash: "", open: 1, seed: noSeed };
    const journal = takeJournal(readJournal(base), 1, facts);
    const record = { type: "answered", effect: "verify", key: "1#1/verify", answer: { kind: "accepted" } } as const;
    const reply = { text: "", stderr: "x".repeat(100_000), exitCode: 0, ended: "exit", headBefore: null } as const;
    expect(() => journal.append([{ ...record, reply }], { durable: true })).toThrow(/journal-1\.ndjson`: ENOSPC/);
    journal.append([record], { durable: true });
    expect(recordsIn(join(base, "run-1/journal-1.ndjson"))).toMatchObject([{ n: 1 }]);
    journal.close();
  });
});
