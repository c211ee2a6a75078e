import { linkSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { journalVersion, sealLine } from "../../src/adapters/journal/journal-segment.ts";
import { launch, runWords } from "../support/cli.ts";
import { lastingFolder, type Project, projectWith, twoTasks } from "../support/project.ts";
import { contentOf } from "../support/traces.ts";

interface Refusal {
  readonly what: string;
  readonly plan?: string;
  readonly spoil?: (project: Project) => void;
  readonly words?: (project: Project) => string[];
  readonly named: readonly (string | RegExp)[];
}

const usual = (project: Project): string[] => runWords(project, "--yes");
const state = '{"phase": "execution", "taskIndex": ';

const refusals: readonly Refusal[] = [
  {
    what: "no spec folder",
    words: () => ["run", "nowhere", "--yes", "--exec", "./executor.sh"],
    named: ["Spec directory missing at", "nowhere"],
  },
  {
    what: "a workspace that is no folder",
    words: (project) => [...usual(project), "--cwd", "nothere"],
    named: [/^ERROR: Cannot use the workspace `.*\/nothere`, expected an existing folder/, "--cwd"],
  },
  {
    what: "a spec by its name in a workspace that is no folder",
    words: () => ["run", "demo", "--yes", "--exec", "./executor.sh", "--cwd", "nothere"],
    named: [/^ERROR: Cannot use the workspace `.*\/nothere`/],
  },
  {
    what: "a config file that names a workspace that is no folder",
    spoil: ({ spec }) => writeFileSync(join(spec, "fixpoint.config.json"), '{ "cwd": "/nothere" }'),
    named: ["Cannot use the workspace `/nothere`", "fixpoint.config.json"],
  },
  {
    what: "no active spec of two",
    spoil: ({ workspace }) => {
      mkdirSync(join(workspace, "other"));
      writeFileSync(join(workspace, "other/tasks.md"), "- [ ] 1.1 Other\n");
    },
    words: () => ["run", "--yes", "--exec", "./executor.sh"],
    named: ["No active spec"],
  },
  {
    what: "an active spec that leads out of the specs folder",
    spoil: ({ workspace }) => {
      mkdirSync(join(workspace, "specs"));
      writeFileSync(join(workspace, "specs/.current-spec"), "../spec\n");
    },
    words: () => ["run", "--yes", "--exec", "./executor.sh"],
    named: ["../spec", ".current-spec"],
  },
  { what: "no tasks.md", spoil: ({ tasks }) => rmSync(tasks), named: ["Tasks file missing at", "tasks.md"] },
  { what: "an empty tasks.md", plan: "", named: ["tasks.md", "no task"] },
  { what: "a tasks.md without tasks", plan: "# Tasks\n\nNone yet.\n", named: ["tasks.md", "no task"] },
  {
    what: "duplicate ids",
    plan: "- [ ] 1.1 One\n- [ ] 1.2 Two\n- [ ] 1.1 Three\n",
    named: ["line 3", "1.1"],
  },
  {
    what: "a FIX marker without its original",
    plan: "- [ ] 1.1 One\n- [ ] 1.2.1 [FIX 1.2] Two\n",
    named: ["line 2", "1.2"],
  },
  {
    what: "a Verify that is longer than a shell can be given",
    plan: `- [ ] 1.1 One\n  - **Verify**: \`echo ${"x".repeat(250_000)}\`\n`,
    named: [/^ERROR: Cannot run the command that begins with `echo x{55}`: it has 250005 bytes/, "script"],
  },
  {
    what: "a final check that is",
    spoil: ({ spec }) => {
      const settings = { finalVerify: `echo ${"x".repeat(131_067)}` };
      writeFileSync(join(spec, "fixpoint.config.json"), JSON.stringify(settings));
    },
    named: ["131072 bytes"],
  },
  {
    what: "a folder in place of tasks.md",
    spoil: ({ tasks }) => {
      rmSync(tasks);
      mkdirSync(tasks);
    },
    named: ["tasks.md", "a regular file"],
  },
  {
    what: "a link out of the spec in place of tasks.md",
    spoil: ({ tasks, workspace }) => {
      rmSync(tasks);
      writeFileSync(join(workspace, "elsewhere.md"), twoTasks);
      symlinkSync("../elsewhere.md", tasks);
    },
    named: ["tasks.md", "not a link out of it"],
  },
  {
    what: "a link to nothing in place of tasks.md",
    spoil: ({ tasks }) => {
      rmSync(tasks);
      symlinkSync("nothing.md", tasks);
    },
    named: ["tasks.md", "a regular file"],
  },
  {
    what: "a hard link of another file in place of tasks.md",
    spoil: ({ tasks, workspace }) => linkSync(tasks, join(workspace, "other.md")),
    named: ["tasks.md", "hard link"],
  },
  {
    what: "a corrupt state file without a journal",
    spoil: (project) => writeFileSync(project.state, state),
    named: ["State file missing or corrupt at", ".ralph-state.json"],
  },
  {
    what: "a state file of another shape without a journal",
    spoil: (project) => writeFileSync(project.state, '{"taskIndex": "three"}'),
    named: [/\.ralph-state\.json\ntaskIndex: .*expected number/],
  },
  { what: "an unknown option", words: (project) => [...usual(project), "--max-fixes", "3"], named: ["--max-fixes"] },
  {
    what: "an option with a value it cannot have",
    words: (project) => [...usual(project), "--max-fix-tasks", "-1"],
    named: ["--max-fix-tasks"],
  },
  {
    what: "an unknown config key",
    spoil: ({ workspace }) => writeFileSync(join(workspace, "fixpoint.config.json"), '{"maxFixes": 3}'),
    named: ["maxFixes", "fixpoint.config.json"],
  },
  {
    what: "a config file that is not JSON",
    spoil: ({ spec }) => writeFileSync(join(spec, "fixpoint.config.json"), "{"),
    named: ["fixpoint.config.json", "expected JSON: "],
  },
  { what: "no executor", words: ({ spec }) => ["run", spec, "--yes"], named: ["--exec"] },
  {
    what: "an executor that does not exist",
    words: ({ spec }) => ["run", spec, "--yes", "--exec", "./missing.sh --fast"],
    named: ["./missing.sh"],
  },
  {
    what: "a verifier that does not exist",
    words: (project) => [...usual(project), "--verifier-exec", "no-such-agent"],
    named: ["no-such-agent"],
  },
  {
    what: "Verify commands that nobody agreed to",
    words: (project) => runWords(project),
    named: ["test -e one", "test -e two", "--yes"],
  },
  {
    what: "a Verify command of a fix task that nobody agreed to",
    plan: "- [ ] 1.1 One\n- [ ] 1.1.1 [FIX 1.1] Fix: it\n  - **Verify**: `touch stolen`\n",
    words: (project) => runWords(project),
    named: ["touch stolen"],
  },
  { what: "nothing to resume", words: ({ spec }) => ["resume", spec, "--yes", "--exec", "true"], named: ["resume"] },
  {
    what: "a journal without its head",
    spoil: ({ data }) => {
      mkdirSync(join(data, "run-1"), { recursive: true });
      writeFileSync(join(data, "run-1/journal-1.ndjson"), "{}\n");
    },
    named: ["journal-1.ndjson", ".fixpoint"],
  },
  {
    what: "a journal of a newer version",
    spoil: ({ data }) => {
      mkdirSync(join(data, "run-1"), { recursive: true });
      writeFileSync(join(data, "run-1/journal-1.ndjson"), sealLine({ v: journalVersion + 1 }));
    },
    named: ["journal-1.ndjson", `a newer version of fixpoint (journal version ${journalVersion + 1})`, ".fixpoint"],
  },
  {
    what: "a journal of an older version",
    spoil: ({ data }) => {
      mkdirSync(join(data, "run-1"), { recursive: true });
      writeFileSync(join(data, "run-1/journal-1.ndjson"), sealLine({ v: journalVersion - 1 }));
    },
    named: [
      "journal-1.ndjson",
      `an older version of fixpoint (journal version ${journalVersion - 1}), expected version ${journalVersion}`,
      "--new-run",
      ".fixpoint",
    ],
  },
];

describe("fixpoint run", () => {
  it.concurrent.each(refusals)("refuses $what with exit code 2, and writes nothing", async (refusal) => {
    const { plan, spoil = () => {}, words = usual, named } = refusal;
    const project = projectWith(plan === undefined ? {} : { plan });
    spoil(project);
    const before = contentOf(project.workspace);
    const { exitCode, out, err } = await launch(project.workspace, words(project)).end;
    expect({ exitCode, out, err }).toEqual({ exitCode: 2, out: "", err: expect.stringMatching(/^ERROR: /) });
    for (const text of named) expect(err).toMatch(text);
    expect(err).not.toMatch(/\n {4}at /);
    expect(contentOf(project.workspace)).toEqual(before);
  });

  it("runs no Verify command before consent, whatever consent was given before", async () => {
    const project = projectWith({ script: "[ $id = 1.1 ] && made || broke it" });
    const words = ["--trust-executor", "--max-task-iterations", "1"];
    expect((await launch(project.workspace, runWords(project, ...words)).end).exitCode).toBe(1);
    writeFileSync(join(project.workspace, "fixpoint.config.json"), '{"trustExecutor": false, "maxTaskIterations": 2}');
    const { exitCode, err } = await launch(project.workspace, runWords(project)).end;
    expect({ exitCode, err }).toEqual({ exitCode: 3, err: expect.stringContaining("Verify: test -e two") });
  });

  it("accepts any spec folder given as a path", async () => {
    const project = projectWith();
    const elsewhere = lastingFolder();
    const words = ["run", project.spec, "--cwd", project.workspace, "--exec", "./executor.sh", "--yes"];
    expect(await launch(elsewhere, words).end).toMatchObject({ exitCode: 0, err: "" });
  });
});
