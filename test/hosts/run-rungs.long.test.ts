import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { atTerminal, hasTerminals } from "../support/at-terminal.ts";
import { launch, runWords } from "../support/cli.ts";
import { call, run, runAgain } from "../support/cli-here.ts";
import { writeScript } from "../support/folder.ts";
import { lastingFolder, type Project, projectWith } from "../support/project.ts";
import { journalPath, read, recordsOf } from "../support/traces.ts";
import { until } from "../support/until.ts";

const plan = "- [ ] 1.1 Make it\n  - **Verify**: `test -e made`\n";

function agent({ workspace }: Project, name: string, can: string): string {
  const made = `case $FIXPOINT_KEY in ${can}) touch made;; esac; echo TASK_COMPLETE`;
  writeScript(workspace, `${name}.sh`, `cat >prompt; echo "${name} $FIXPOINT_KEY" >>asked.log; ${made}`);
  return `./${name}.sh`;
}

const asked = ({ workspace }: Project): string[] => read(join(workspace, "asked.log")).trimEnd().split("\n");

const rungsIn = (project: Project): (string | undefined)[] =>
  recordsOf(project).flatMap((record) =>
    record.type === "delegated" ? [`${record.key} ${record.rung ?? "first"} ${record.executor}`] : [],
  );

describe.concurrent("an executor for each rung", () => {
  it("does the attempts of its rung, which is recorded with the delegation", async () => {
    const project = projectWith({ plan });
    const [weak, strong, strongest] = [
      agent(project, "weak", "never"),
      agent(project, "strong", "never"),
      agent(project, "strongest", "*"),
    ];
    const words = [
      ...["--exec", weak, "--executor", `fix: ${strong}`, "--executor", `pivot: ${strongest} --hard`],
      ...["--recovery-mode", "--escalation", "--max-fix-tasks", "1", "--stuck-after-same-errors", "3"],
    ];
    const { exitCode, err } = await run(project, ...words);
    expect({ exitCode, err }).toEqual({ exitCode: 0, err: "" });
    expect(asked(project)).toEqual(["weak 1.1#1", "strong 1.1.1#1", "strongest 1.1.1#2"]);
    expect(rungsIn(project)).toEqual(["1.1#1 first 0", "1.1.1#1 fix 1", "1.1.1#2 pivot 2"]);
  });

  it("does first attempts as well if it is for retry and there is no other executor", async () => {
    const project = projectWith({ plan });
    const weak = agent(project, "weak", "1.1\\#2");
    const { exitCode } = await launch(project.workspace, ["run", project.spec, "--yes", "--executor", `retry: ${weak}`])
      .end;
    expect({ exitCode, asked: asked(project) }).toEqual({ exitCode: 0, asked: ["weak 1.1#1", "weak 1.1#2"] });
    expect(rungsIn(project)).toEqual(["1.1#1 first 0", "1.1#2 retry 0"]);
  });

  it("can be a known tool with its own arguments, whose cost is reported by rung", async () => {
    const project = projectWith({ plan });
    const folder = lastingFolder();
    const stream = (cost: string): string =>
      `{"type":"result","subtype":"success","is_error":false,"result":"TASK_COMPLETE","total_cost_usd":${cost}}`;
    writeScript(
      folder,
      "claude",
      `cat >prompt; echo "$FIXPOINT_KEY $*" >>asked.log
case "$*" in *opus*) touch made; echo '${stream("0.5")}';; *) echo '${stream("0.25")}';; esac`,
    );
    const { exitCode, out } = await launch(
      project.workspace,
      [
        ...["run", project.spec, "--yes", "--recovery-mode"],
        ...["--executor", "claude", "--executor", "fix: claude --model opus"],
      ],
      { PATH: `${folder}:${process.env["PATH"]}` },
    ).end;
    expect(exitCode).toBe(0);
    expect(asked(project)).toEqual([
      "1.1#1 -p --output-format stream-json --verbose",
      "1.1.1#1 -p --output-format stream-json --verbose --model opus",
    ]);
    expect(out).toContain("\nCost: $0.75\n  first attempts: 1 delegation, $0.25\n  after fix: 1 delegation, $0.50\n");
  });

  it("is reported as unused if the ladder lacks its rung", async () => {
    const project = projectWith({ plan });
    const strong = agent(project, "strong", "1.1\\#1");
    const { out } = await run(project, "--executor", `pivot: ${strong}`);
    expect(out).toContain("notice: The executor for pivot is not used: the ladder of this run has no rung pivot\n");
  });

  it("can be set in the config file, which needs consent", async () => {
    const project = projectWith({ plan, script: "made" });
    const strong = agent(project, "strong", "1.1.1\\#1");
    const config = { rungs: { fix: strong }, recoveryMode: true };
    writeFileSync(join(project.spec, "fixpoint.config.json"), JSON.stringify(config));
    const refused = await runAgain(project);
    expect(refused).toMatchObject({ exitCode: 2, err: expect.stringContaining('rungs: {"fix":"./strong.sh"}') });
    expect(existsSync(join(project.workspace, "asked.log"))).toBe(false);
    expect((await run(project)).exitCode).toBe(0);
    expect(asked(project)).toEqual(["strong 1.1.1#1"]);
  });
});

describe.concurrent("--pause-after", () => {
  const tasks = [1, 2, 3].map((number) => `- [ ] 1.${number} Make it\n  - **Verify**: \`test -e made-1.${number}\`\n`);
  const makes = { plan: tasks.join(""), script: 'touch "made-$id"; made' };

  it("ends the start after that many passed tasks if there is no terminal to resume it", async () => {
    const project = projectWith(makes);
    const paused = await run(project, "--pause-after", "2");
    expect(paused.exitCode).toBe(3);
    expect(paused.out).toContain("Tasks: 3 original, 0 fix\nDelegations: 2\n");
    expect(paused.err).toMatch(/^ERROR: Paused after 2 tasks, as --pause-after says\nContinue: fixpoint run \S+\n$/m);
    expect((await call(project, "status", project.spec)).out).toContain("\nopen 1.3 Make it\n");
    const next = await runAgain(project, "--pause-after", "3");
    expect(next).toMatchObject({ exitCode: 0, out: expect.stringContaining("\ndelegated 1.3 (attempt 1)\n") });
  });

  it("lets running members of a batch end, and begins no other", async () => {
    const members = [1, 2, 3].map(
      (number) => `- [ ] 1.${number} [P] Make it\n  - **Verify**: \`test -e made-1.${number}\`\n`,
    );
    const script = `until [ $id != 1.2 ] || grep -q '1.1.*passed\\|\\[x\\] 1.1' "$FIXPOINT_SPEC/tasks.md"; do sleep 0.02; done; touch "made-$id"; made`;
    const project = projectWith({ plan: members.join(""), script });
    const paused = await run(project, "--pause-after", "1", "--max-parallel", "2", "--reporter", "plain");
    expect(paused).toMatchObject({ exitCode: 3, out: expect.stringContaining("Delegations: 2\n") });
    expect(paused.out).not.toContain("delegated 1.3");
    const next = await runAgain(project);
    expect(next).toMatchObject({ exitCode: 0, out: expect.stringContaining("delegated 1.3 (attempt 1)\n") });
  });

  it.runIf(hasTerminals)("pauses the run at a terminal until it is resumed", async () => {
    const project = projectWith(makes);
    const running = atTerminal(project, ...runWords(project, "--yes", "--pause-after", "2"));
    await until(() => existsSync(journalPath(project)));
    await until(() => recordsOf(project).some((record) => record.type === "said" && record.event.type === "pause"));
    const status = await call(project, "status", project.spec);
    expect(status.out).toMatch(/^2\/3 completed, paused as process \d+, 2 delegations, \d+m?s\n/);
    expect(status.out).toMatch(/\nContinue: fixpoint resume \S+\n$/);
    expect((await call(project, "resume", project.spec)).exitCode).toBe(0);
    const { exitCode, out } = await running;
    expect(exitCode).toBe(0);
    const told = out.match(/^(?:delegated|passed|paused|resumed).*$/gm);
    expect(told?.map((line) => line.split(/[ :]/)[0])).toEqual([
      ...["delegated", "passed", "delegated", "passed", "paused", "resumed", "delegated", "passed"],
    ]);
  });
});
