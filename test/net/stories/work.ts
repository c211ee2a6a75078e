import { execFileSync } from "node:child_process";
import { again, planOf, run, type Story, task, two, write } from "../story.ts";

const failed = (error: string): string => `broke '${error}'`;
const repository = {
  act: "git init, and all is committed",
  by: (workspace: string): void => {
    const git = (...words: readonly string[]) =>
      execFileSync("git", ["-c", "user.name=Ann", "-c", "user.email=ann@example.org", ...words], { cwd: workspace });
    write(".gitignore", "*.log\n").by(workspace);
    git("init", "-q", "-b", "main");
    git("config", "user.name", "Ann");
    git("config", "user.email", "ann@example.org");
    git("add", ".");
    git("commit", "-qm", "begin");
  },
};
const history = {
  act: "git log, with the files of each commit",
  by: (workspace: string): void => {
    const log = execFileSync("git", ["log", "--reverse", "--format=* %s", "--name-status"], { cwd: workspace });
    const status = execFileSync("git", ["status", "--porcelain"], { cwd: workspace });
    write("told.log", `${log.toString()}\n${status.toString()}`).by(workspace);
  },
};
const limitOf = (seconds: number): string => `echo "Error: rate limit exceeded, retry after ${seconds} s" >&2; exit 1`;
const stream = (text: string): string =>
  `echo '${JSON.stringify({ type: "result", subtype: "success", is_error: false, result: text, total_cost_usd: 0.25 })}'`;

export const work: readonly Story[] = [
  {
    name: "batch-with-one-failing",
    sorted: true,
    plan: planOf(task("1.1 [P]", "First"), task("1.2 [P]", "Second"), task("1.3 [P]", "Third"), task("1.4", "Last")),
    does: {
      "1.1#1": 'echo "- found by 1.1" >>"$FIXPOINT_PROGRESS_FILE"; work',
      "1.2#1": failed("boom"),
      "1.2.1": "mend 1.2",
    },
    steps: [run("--recovery-mode"), "status spec", "why 1.2 spec"],
  },
  {
    name: "batch-with-one-at-its-limit",
    sorted: true,
    plan: planOf(task("1.1 [P]", "First"), task("1.2 [P]", "Second"), task("1.3 [P]", "Third")),
    does: { "1.2": failed("boom") },
    steps: [run("--max-task-iterations 1"), again("--max-task-iterations 2")],
  },
  {
    name: "executor-missing",
    plan: two,
    steps: ["run spec --yes --exec ./nobody.sh", "run spec --yes", again("--yes --exec ./executor.sh")],
  },
  {
    name: "executor-limited-for-a-moment",
    plan: two,
    does: { "1.1#1": limitOf(1) },
    steps: [run("--max-task-iterations 1")],
  },
  {
    name: "fallback-to-the-next-executor",
    plan: two,
    program: true,
    env: { PATH: `bin:${process.env["PATH"]}` },
    files: {
      "bin/claude": `#!/bin/sh\n[ "$1" = --version ] && exit\ncat >/dev/null\necho "claude $FIXPOINT_KEY" >>told.log\necho "Error: rate limit exceeded, retry after 3600 s" >&2\nexit 1\n`,
      "bin/crush": `#!/bin/sh\ncat >/dev/null\necho "crush $FIXPOINT_KEY" >>told.log\nmkdir -p made\n: >made/$FIXPOINT_TASK_ID\necho TASK_COMPLETE\n`,
    },
    steps: [
      {
        act: "the tools may be run",
        by: (workspace) => void execFileSync("chmod", ["+x", "bin/claude", "bin/crush"], { cwd: workspace }),
      },
      "run spec --yes --executor claude,crush",
    ],
  },
  {
    name: "known-tool-with-cost",
    plan: two,
    does: { "1.1": `mkdir -p made; touch made/1.1; ${stream("TASK_COMPLETE")}`, "1.2": stream("no more") },
    steps: ["run spec --yes --executor claude --exec ./executor.sh --max-cost 0.4", again("--max-cost 0.6")],
  },
  {
    name: "executor-times-out",
    plan: two,
    does: { "1.1#2": "told 'Stopped after'; work" },
    steps: [
      "run spec --exec 'sleep 60' --yes --task-timeout 300ms --max-task-iterations 1",
      again("--exec ./executor.sh --task-timeout 1h --max-task-iterations 2"),
      "why 1.1 spec",
    ],
  },
  {
    name: "commits-of-the-spec",
    plan: two,
    program: true,
    does: { "1.1#1": failed("boom"), "1.1.1": "mend 1.1" },
    steps: [repository, run("--recovery-mode --commit spec"), history],
  },
  {
    name: "commits-of-all",
    plan: two,
    program: true,
    files: { "mine.txt": "not tracked\n" },
    steps: [repository, write("notes.txt", "left by a person\n"), run("--commit all"), history],
  },
  {
    name: "claims-must-be-committed",
    plan: two,
    program: true,
    does: {
      "1.1#1": "sed -i 's/\\[ \\] 1.1/[x] 1.1/' \"$plan\"; work",
      "1.1#2": "sed -i 's/\\[ \\] 1.1/[x] 1.1/' \"$plan\"; work >/dev/null; git add . && git commit -qm mine; made",
    },
    steps: [repository, run("--require-commit --max-task-iterations 2 --max-global-iterations 2"), history],
  },
  {
    name: "all-specs",
    sorted: true,
    files: {
      "specs/one/tasks.md": planOf(task("1.1")),
      "specs/two/tasks.md": planOf(task("2.1"), task("2.2")),
      "specs/three/tasks.md": planOf(task("3.1")),
    },
    does: { "2.1": failed("boom") },
    steps: [
      "run --all specs --exec ./executor.sh --yes --max-task-iterations 1",
      "run --all specs --exec ./executor.sh",
    ],
  },
  {
    name: "crlf-plan",
    plan: two.replaceAll("\n", "\r\n"),
    does: { "1.1#1": failed("boom"), "1.1.1": "mend 1.1" },
    steps: [run("--recovery-mode")],
  },
  {
    name: "final-verify",
    plan: two,
    steps: [run("--final-verify 'test -e made/all'"), write("made/all"), again()],
  },
  {
    name: "events-as-json",
    plan: two,
    does: { "1.1#1": failed("boom"), "1.1.1": "mend 1.1", "1.2": "made" },
    steps: [run("--recovery-mode --max-fix-tasks 1 --reporter json")],
  },
  {
    name: "duplicate-ids-refused",
    plan: planOf(task("1.1"), task("1.1"), task("1.2")),
    steps: ["lint spec", run()],
  },
  {
    name: "malformed-config-refused",
    plan: two,
    files: { "fixpoint.config.json": '{ "policy": { "maxTaskIterations": "many" } }\n' },
    steps: [run(), write("fixpoint.config.json", "{ nothing"), run(), write("fixpoint.config.json", "{}\n"), run()],
  },
  {
    name: "consent-refused",
    plan: two,
    steps: ["run spec --exec ./executor.sh", "run nowhere --exec ./executor.sh", "run spec --nonsense", "nonsense"],
  },
  {
    name: "commands-on-a-finished-run",
    plan: two,
    does: { "1.1#1": failed("boom"), "1.1.1": "mend 1.1" },
    steps: [
      run("--recovery-mode"),
      "lint spec",
      "status spec --json > status.json",
      "why 1.1 spec --json > why.json",
      "logs 1.1 spec",
      "export spec --format md",
      "export spec > page.html",
      "replay spec",
      "why 9.9 spec",
      "resume spec",
      "pause spec",
      "stop spec",
    ],
  },
];
