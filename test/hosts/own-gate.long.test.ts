import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { readStatus } from "../../src/hosts/node/reading/read-status.ts";
import { hasTerminals } from "../support/at-terminal.ts";
import { begun, cli, launch, run, runWords } from "../support/cli.ts";
import { call } from "../support/cli-here.ts";
import { writeScript } from "../support/folder.ts";
import { type Project, projectWith } from "../support/project.ts";
import { read, recordsOf } from "../support/traces.ts";
import { until } from "../support/until.ts";
import { hindranceToHide, launchWithoutProc } from "../support/without-proc.ts";

const fixpoint = `'${process.execPath}' '${cli}'`;
const oneTask = "- [ ] 1.1 First\n";
const noted =
  'n=0; while [ -e "$FIXPOINT_SPEC/.fixpoint/unheard" ] && [ $n -lt 200 ]; do sleep 0.05; n=$((n + 1)); done';

const saying = (...lines: readonly string[]): string =>
  [...lines.map((line) => `${line} >> said.log 2>&1; echo "exit $?" >> said.log; ${noted}`), "made"].join("\n");

const saidIn = ({ workspace }: Project): string => read(join(workspace, "said.log"));
const unheardIn = (project: Project) =>
  recordsOf(project).flatMap((record) => (record.type === "unheard" ? [record] : []));

const words = [
  ["pause", `${fixpoint} pause spec`],
  ["resume", `${fixpoint} resume spec`],
  ["resume --guidance", `${fixpoint} resume spec --guidance x`],
  ["resume --decision skip", `${fixpoint} resume spec --decision skip`],
  ["run --yes", `${fixpoint} run spec --exec true --yes`],
  ["say guidance", `${fixpoint} say guidance x spec`],
  ["say retry", `${fixpoint} say retry spec`],
  ["watch", `${fixpoint} watch spec`],
  ["stop", `${fixpoint} stop spec`],
  ["reset", `${fixpoint} reset spec --yes`],
  ["clean", `${fixpoint} clean spec`],
] as const;

const bare = 'env -i PATH="$PATH" HOME="$HOME" XDG_STATE_HOME="$XDG_STATE_HOME"';
const orphaned = `session() { cut -d ' ' -f 6 "/proc/$1/stat"; }
until [ "$(session "$(cut -d ' ' -f 4 /proc/$$/stat)")" != "$(session $$)" ]; do sleep 0.05; done`;
const saidWhen = (line: string): string => `${line} >> said.log 2>&1; echo "exit $?" >> said.log`;
const untilSaid = "until grep -q ^exit said.log 2> /dev/null; do sleep 0.05; done";

describe.concurrent("a message from an executor to its own run", () => {
  it("is refused, recorded with its sender, and reported", async () => {
    const project = projectWith({ plan: oneTask, script: saying(...words.map(([, line]) => line)) });
    const { exitCode, out } = await run(project);
    expect(exitCode).toBe(0);
    for (const [word] of words) {
      expect(saidIn(project)).toContain(`Cannot say \`${word}\` to \`spec\` from inside its own call 1.1#1`);
      expect(out).toContain(`notice: Refused \`${word}\` from within 1.1#1`);
    }
    expect(saidIn(project).match(/^exit \d+$/gm)).toEqual(words.map(() => "exit 2"));
    const by = { kind: "run", terminal: null, process: "executor.sh", pid: expect.any(Number) } as const;
    expect(unheardIn(project)).toMatchObject(words.map(([word]) => ({ word, key: "1.1#1", by })));
    expect(recordsOf(project).filter(({ type }) => type === "said")).toEqual([]);
    expect(existsSync(join(project.data, "pause"))).toBe(false);

    const why = await call(project, "why", "1.1", "spec");
    expect(why.out).toMatch(/refused a message from inside the run \(1\.1#1\): pause \(executor\.sh, process \d+\)/);
    const status = await call(project, "status", "spec");
    expect(status.out).toMatch(
      /\nrefused a message from inside the run \(1\.1#1\): clean \(executor\.sh, process \d+\), and 10 before\n/,
    );
    expect(readStatus(project.spec).unheard).toMatchObject(words.map(([word]) => ({ word, key: "1.1#1", by })));
  });

  it.each([
    ["without the marks of its call", `env -u FIXPOINT_KEY -u FIXPOINT_SPEC ${fixpoint} pause spec`],
    ["with the mark of another spec", `FIXPOINT_SPEC=/tmp FIXPOINT_KEY=9.9#9 ${fixpoint} pause spec`],
    ["without any environment, a process further down", "env -i ./deep"],
    ["from a session of its own", `setsid -w ${fixpoint} pause spec`],
    ["by a link to the spec", `${fixpoint} pause other-name`],
  ])("is refused %s", async (_, line) => {
    const project = projectWith({ plan: oneTask, script: saying(line) });
    symlinkSync("spec", join(project.workspace, "other-name"));
    writeScript(project.workspace, "deep", `${fixpoint} pause spec; exit $?`);
    expect((await run(project)).exitCode).toBe(0);
    expect(saidIn(project)).toMatch(/from inside its own call 1\.1#1[\s\S]*exit 2/);
    expect(unheardIn(project)).toMatchObject([{ word: "pause", key: "1.1#1" }]);
  });

  it.each(words)(
    "is refused after the executor has replaced itself by a program without its marks: %s",
    async (word, line) => {
      const script = `[ -e said.log ] && { made; exit; }; exec ${bare} sh -c '${line.replaceAll("'", "")} > said.log 2>&1; echo "exit $?" >> said.log'`;
      const project = projectWith({ plan: oneTask, script });
      expect((await run(project, "--recovery-mode")).exitCode).toBe(0);
      expect(saidIn(project)).toMatch(
        /^ERROR: Cannot say `.*` to `spec` from inside its own call 1\.1#1[\s\S]*exit 2\n$/,
      );
      expect(unheardIn(project)).toMatchObject([{ word, key: "1.1#1", by: { kind: "run" } }]);
      expect(recordsOf(project).filter(({ type }) => type === "said")).toEqual([]);
    },
  );

  it.each([
    ["the executor as this very program", `touch said.log; exec ${bare} ${fixpoint} pause spec`],
    ["an orphan", `(${bare} ./orphan > /dev/null 2>&1 < /dev/null &); ${untilSaid}; made`],
    ["an orphan below nohup", `(nohup ${bare} ./orphan > /dev/null 2>&1 < /dev/null &); ${untilSaid}; made`],
    ["one in a group of its own", `set -m; ${bare} ./orphan-or-not & ${untilSaid}; made`],
  ])("is refused from %s, without its marks", async (_, line) => {
    const project = projectWith({ plan: oneTask, script: `[ -e said.log ] && { made; exit; }; ${line}` });
    writeScript(project.workspace, "orphan", `${orphaned}; ${saidWhen(`${fixpoint} pause spec`)}`);
    writeScript(project.workspace, "orphan-or-not", saidWhen(`${fixpoint} pause spec`));
    expect((await run(project, "--recovery-mode")).exitCode).toBe(0);
    expect(unheardIn(project)).toMatchObject([{ word: "pause", key: "1.1#1" }]);
    expect(recordsOf(project).filter(({ type }) => type === "said")).toEqual([]);
  });

  it.skipIf(!hasTerminals)("is refused even in its own terminal", async () => {
    const line = `${bare} script --quiet --return --command ./typed /dev/null > said.log 2>&1; echo "exit $?" >> said.log`;
    const project = projectWith({ plan: oneTask, script: `${line}; made` });
    writeScript(project.workspace, "typed", `exec ${fixpoint} pause spec`);
    expect((await run(project)).exitCode).toBe(0);
    expect(saidIn(project)).toMatch(/from inside its own call 1\.1#1[\s\S]*exit 2\n$/);
    const by = { kind: "run", terminal: expect.stringMatching(/^\/dev\/pts\//) };
    expect(unheardIn(project)).toMatchObject([{ word: "pause", key: "1.1#1", by }]);
  });

  it("is recorded even if it is sent right before the end", async () => {
    const project = projectWith({ plan: oneTask, script: `${fixpoint} pause spec; made` });
    expect((await run(project)).exitCode).toBe(0);
    expect(unheardIn(project)).toMatchObject([{ word: "pause", key: "1.1#1" }]);
  });

  it("is refused if the executor starts the run with a program that uses the library", async () => {
    const library = pathToFileURL(join(dirname(cli), "../node/index.js")).href;
    const project = projectWith({ plan: oneTask, script: saying(`'${process.execPath}' start.mjs`) });
    const start = `import { runSpec } from "${library}";
await runSpec({ spec: "spec", executors: { executor: "true" }, decision: "skip" }).catch(({ code }) => {
  console.log(code);
  process.exitCode = 2;
});`;
    writeFileSync(join(project.workspace, "start.mjs"), start);
    expect((await run(project)).exitCode).toBe(0);
    expect(saidIn(project)).toBe("own-gate\nexit 2\n");
    expect(unheardIn(project)).toMatchObject([{ word: "run --decision skip" }]);
  });

  it("is refused after the executor killed its coordinator, which the next start records", async () => {
    const script = `[ -e killed ] || { touch killed; kill -9 $PPID; ${fixpoint} run spec --exec true --yes > said.log 2>&1
echo "exit $?" >> said.log; }; made`;
    const project = projectWith({ plan: oneTask, script });
    expect(await run(project)).toMatchObject({ signal: "SIGKILL" });
    await until(() => existsSync(join(project.workspace, "said.log")) && saidIn(project).endsWith("exit 2\n"));
    expect((await run(project)).exitCode).toBe(0);
    const next = recordsOf(project, 2).flatMap((record) => (record.type === "unheard" ? [record] : []));
    expect(next).toMatchObject([{ word: "run --yes", key: "1.1#1" }]);
  });
});

describe.concurrent("a message from an executor that killed its coordinator", () => {
  it.each([
    ["the program itself", (line: string) => `exec ${bare} sh -c '${line}'`],
    ["an orphan", (line: string) => `(${bare} sh -c '${line}' > /dev/null 2>&1 < /dev/null &); ${untilSaid}`],
  ])("is refused from %s, without its marks", async (_, how) => {
    const line = `${fixpoint} run spec --exec true --yes > said.log 2>&1; echo "exit $?" >> said.log`.replaceAll(
      "'",
      "",
    );
    const script = `[ -e said.log ] && { made; exit; }; kill -9 $PPID; ${how(line)}`;
    const project = projectWith({ plan: oneTask, script });
    expect(await run(project)).toMatchObject({ signal: "SIGKILL" });
    await until(() => existsSync(join(project.workspace, "said.log")) && saidIn(project).includes("exit"));
    expect(saidIn(project)).toMatch(
      /^ERROR: Cannot say `run --yes` to `spec` from inside its own call 1\.1#1[\s\S]*exit 2\n$/,
    );
    expect((await run(project)).exitCode).toBe(0);
  });
});

describe.skipIf(hindranceToHide() !== null).concurrent("a message from an executor without /proc", () => {
  it.each([
    ["by ps", true, "1.1#1"],
    ["without ps, because nothing shows another origin", false, "unlisted"],
  ])("is refused %s", async (_, listed, key) => {
    const line = `${fixpoint} pause spec > said.log 2>&1; echo "exit $?" >> said.log`.replaceAll("'", "");
    const script = `[ -e said.log ] && { made; exit; }; exec ${bare} sh -c '${line}'`;
    const project = projectWith({ plan: oneTask, script });
    const words = runWords(project, "--yes", "--recovery-mode");
    expect(await launchWithoutProc(project, words, listed).end).toMatchObject({ exitCode: 0, err: "" });
    expect(saidIn(project)).toMatch(
      listed ? /^ERROR: Cannot say `pause` to `spec` from inside its own call 1\.1#1/ : /expected \/proc or ps to show/,
    );
    expect(saidIn(project)).toMatch(/exit 2\n$/);
    expect(unheardIn(project)).toMatchObject([{ word: "pause", key }]);
  });

  it("is accepted from an unrelated program", async () => {
    const project = projectWith({ plan: oneTask, script: "touch started; until [ -e go ]; do sleep 0.05; done; made" });
    const running = run(project);
    await begun(project);
    expect(await launchWithoutProc(project, ["pause", "spec"]).end).toMatchObject({ exitCode: 0, err: "" });
    expect(await launchWithoutProc(project, ["resume", "spec"]).end).toMatchObject({ exitCode: 0, err: "" });
    writeFileSync(join(project.workspace, "go"), "");
    expect((await running).exitCode).toBe(0);
    expect(recordsOf(project).filter(({ type }) => type === "said")).toMatchObject([
      { event: { type: "pause" }, by: { kind: "program" } },
      { event: { type: "resume" }, by: { kind: "program" } },
    ]);
  });
});

describe.concurrent("a message from a Verify command to its own run", () => {
  it("is refused, and reported with the task of the command", async () => {
    const project = projectWith({ plan: "- [ ] 1.1 First\n  - **Verify**: `./check`\n" });
    writeScript(project.workspace, "check", `${fixpoint} stop spec 2> check.log; true`);
    expect((await run(project)).exitCode).toBe(0);
    expect(read(join(project.workspace, "check.log"))).toContain("from inside its own call verify");
    // Verify is executed before and after the work, so the message is refused two times.
    const refused = { word: "stop", key: "verify", by: { process: "check" } };
    expect(unheardIn(project)).toMatchObject([refused, refused]);
    expect((await call(project, "why", "1.1", "spec")).out).toContain(
      "refused a message from inside the run (verify): stop (check,",
    );
  });
});

describe.concurrent("a message from an executor to another run", () => {
  it("is accepted, so that an executor may run another spec, with consent", async () => {
    const project = projectWith({ plan: oneTask, script: saying(`${fixpoint} run inner --exec ./inner.sh --yes`) });
    const inner = join(project.workspace, "inner");
    mkdirSync(inner);
    writeFileSync(join(inner, "tasks.md"), "- [ ] 1.1 Within\n  - **Verify**: `test -e within`\n");
    // The inner executor is a child of the outer executor and must not send messages to the outer run.
    const script = `touch within; ${fixpoint} pause spec 2> outer.log; echo $? >> outer.log; echo TASK_COMPLETE`;
    writeScript(project.workspace, "inner.sh", script);
    expect((await run(project)).exitCode).toBe(0);
    expect(saidIn(project)).toMatch(/ALL_TASKS_COMPLETE[\s\S]*exit 0/);
    expect(read(join(project.workspace, "outer.log"))).toMatch(
      /to `spec` from inside its own call 1\.1#1[\s\S]*\n2\n$/,
    );
  });
});

describe.concurrent("a message from a person", () => {
  it.skipIf(!hasTerminals)("is recorded with its terminal and process", async () => {
    const project = projectWith({
      plan: oneTask,
      script: "touch started; while [ ! -e go ]; do sleep 0.05; done; made",
    });
    const running = run(project);
    await begun(project);
    writeScript(project.workspace, "person", `${fixpoint} pause spec; ${fixpoint} resume spec; exit 0`);
    const typing = spawn("script", ["--quiet", "--command", "./person", "/dev/null"], {
      cwd: project.workspace,
      stdio: ["ignore", "pipe", "inherit"],
    });
    const typed = await text(typing.stdout);
    writeFileSync(join(project.workspace, "go"), "");
    expect((await running).exitCode).toBe(0);
    expect(typed).toContain("Resumed: coordinator");
    const by = {
      kind: "terminal",
      terminal: expect.stringMatching(/^\/dev\//),
      process: "person",
      pid: expect.any(Number),
    };
    expect(recordsOf(project).filter(({ type }) => type === "said")).toMatchObject([
      { event: { type: "pause" }, by },
      { event: { type: "resume" }, by },
    ]);
    const why = await call(project, "why", "1.1", "spec");
    expect(why.out).toMatch(/a person said: pause \(person, process \d+, at \/dev\/\S+\)/);
  });

  it("is recorded together with the answer to a question", async () => {
    const project = projectWith({ plan: oneTask, script: "broke it" });
    expect((await run(project, "--repair", "--repair-budget", "0")).exitCode).toBe(3);
    const words = ["resume", "spec", "--exec", "./executor.sh", "--decision", "skip"];
    expect((await launch(project.workspace, words).end).exitCode).toBe(3);
    const answered = recordsOf(project, 2).filter(
      (record) => record.type === "answered" && record.key.endsWith("/askPerson"),
    );
    const comm = readFileSync("/proc/self/comm", "utf8").trim();
    const by = { kind: "program", terminal: null, process: comm, pid: process.pid } as const;
    expect(answered).toMatchObject([{ answer: { kind: "decided", decision: "skip" }, by }]);
    const again = ["resume", "spec", "--exec", "./executor.sh", "--decision", "retry"];
    await launch(project.workspace, again).end;
    expect(recordsOf(project, 3).find(({ type }) => type === "skipped")).toMatchObject({ by });
    const why = await call(project, "why", "1.1", "spec");
    expect(why.out).toContain(`a program said about 1.1: skip (${comm}, process ${process.pid})`);
    expect(why.out).toContain(`1.1 is resumed (${comm}, process ${process.pid})`);
  });
});
