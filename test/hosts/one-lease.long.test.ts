import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { atWork, launch, runWords } from "../support/cli.ts";
import { livingWith } from "../support/processes.ts";
import { type Project, projectWith, twoDone, works } from "../support/project.ts";
import { read } from "../support/traces.ts";
import { until } from "../support/until.ts";

const marks = `echo "begin $FIXPOINT_KEY" >> marks; until [ -e go ]; do sleep 0.02; done; echo "end $FIXPOINT_KEY" >> marks; ${works}`;
const marked = ({ workspace }: Project): string[] => read(join(workspace, "marks")).trimEnd().split("\n");
const start = (project: Project, ...more: string[]) =>
  launch(project.workspace, [...runWords(project), "--yes", ...more]);

describe.concurrent("two concurrent starts of one spec", () => {
  it.each([
    ["run", "--new-run"],
    ["--new-run", "run"],
    ["--new-run", "--new-run"],
  ])("execute no task twice after a coordinator was killed: %s and %s", async (...kinds) => {
    const project = projectWith({ script: `touch started; ${marks}` });
    const first = await atWork(project);
    first.child.kill("SIGKILL");
    await first.end;
    writeFileSync(join(project.workspace, "marks"), "");
    const both = kinds.map((kind) => start(project, ...(kind === "run" ? [] : [kind])));
    const [early] = await Promise.race(both.map(async (each) => [await each.end]));
    expect(early).toMatchObject({ exitCode: 4, err: expect.stringContaining("Cannot take the spec") });
    await until(() => marked(project)[0] !== "");
    expect(livingWith(`FIXPOINT_SPEC=${project.spec}`).length).toBeGreaterThan(0);
    expect(marked(project)).toHaveLength(1);
    writeFileSync(join(project.workspace, "go"), "");
    const ends = await Promise.all(both.map((each) => each.end));
    expect(ends.map(({ exitCode }) => exitCode).sort()).toEqual([0, 4]);
    expect(ends.map(({ out }) => out).join("")).toMatch(/^notice: Took the spec from process \d+, .*: it was killed$/m);
    expect(marked(project).map((line) => line.split(" ")[0])).toEqual(["begin", "end", "begin", "end"]);
    expect(read(project.tasks)).toBe(twoDone);
  });
});
