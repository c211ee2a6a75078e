import { existsSync, linkSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { launch, runWords } from "../support/cli.ts";
import { run, runAgain } from "../support/cli-here.ts";
import { type Project, projectWith, writeExecutor } from "../support/project.ts";
import { read } from "../support/traces.ts";
import { until } from "../support/until.ts";

const plan = "- [ ] 1.1 [P] First\n- [ ] 1.2 [P] Second\n";
const logOf = ({ spec }: Project, member: string): string => join(spec, `.progress-task-${member}.md`);
const learns = `printf '## Learnings\\n- learned at %s\\n' "$id" > "$FIXPOINT_PROGRESS_FILE"`;

describe.concurrent("the log of a member of a batch", () => {
  it("is merged by the start after a kill, whether the member passed or is retried", async () => {
    const script = `${learns}; [ $id = 1.1 ] && made && exit; touch started; sleep 60`;
    const project = projectWith({ plan, script });
    const { child, end } = launch(project.workspace, runWords(project, "--yes"));
    await until(() => existsSync(join(project.workspace, "started")) && read(project.tasks).includes("- [x] 1.1"));
    child.kill("SIGKILL");
    await end;
    writeExecutor(project.workspace, "made");
    expect(await runAgain(project)).toMatchObject({ exitCode: 0 });
    expect(read(project.progress)).toMatch(/\n## Learnings\n- learned at 1\.1\n- learned at 1\.2\n$/);
    expect([logOf(project, "1.1"), logOf(project, "1.2")].filter(existsSync)).toEqual([]);
  });

  it("is merged once a person ticks its task, and kept while the task is open", async () => {
    const open = "- [ ] 1.1 [P] First\n- [ ] 1.2 [P] Second\n- [ ] 1.3 [P] Third\n";
    const project = projectWith({ plan: open, script: `${learns}; [ $id = 1.1 ] && made || broke it` });
    expect(await run(project, "--max-task-iterations", "1")).toMatchObject({ exitCode: 1 });
    expect(read(project.progress)).toMatch(/\n- learned at 1\.1\n$/);
    writeFileSync(project.tasks, read(project.tasks).replace("- [ ] 1.2", "- [x] 1.2"));
    writeExecutor(project.workspace, "broke it");
    expect(await runAgain(project, "--max-task-iterations", "2")).toMatchObject({ exitCode: 1 });
    expect(read(project.progress)).toMatch(/\n- learned at 1\.1\n- learned at 1\.2\n$/);
    expect([existsSync(logOf(project, "1.2")), existsSync(logOf(project, "1.3"))]).toEqual([false, true]);
    expect(await run(project, "--new-run", "--max-task-iterations", "1")).toMatchObject({ exitCode: 1 });
    expect(read(project.progress)).toMatch(/\n- learned at 1\.2\n- learned at 1\.3\n$/);
  });

  it("is not read if it is not a regular file of its own, or has no name of a log", async () => {
    const project = projectWith({ plan, script: "made" });
    const secret = join(project.workspace, "secret.md");
    writeFileSync(secret, "- secret\n");
    linkSync(secret, logOf(project, "7"));
    mkdirSync(logOf(project, "8"));
    writeFileSync(logOf(project, "%zz"), "- odd\n");
    expect(await run(project)).toMatchObject({ exitCode: 0 });
    expect(read(project.progress)).not.toMatch(/secret|odd/);
    expect(["7", "8", "%zz"].map((member) => existsSync(logOf(project, member)))).toEqual([true, true, true]);
  });
});
