import { writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { adviceIn, paste, projectNamed, start, useTools } from "../support/paste.ts";
import { copyOf, type Project } from "../support/project.ts";
import { delegations, read } from "../support/traces.ts";

const ids = Array.from({ length: 10 }, (_, index) => `1.${index + 1}`);
const plan = [
  "# Tasks\n",
  ...ids.map((id) => `- [ ] ${id} Make it\n  - **Files**: made/${id}\n  - **Verify**: \`test -e made/${id}\``),
].join("\n");
const script = `mkdir -p made
case "$id:$prompt" in
1.3:*8080*) ;;
1.7:*localhost*) ;;
1.3:*) echo "BLOCKED: which port?"; exit ;;
1.7:*) echo "BLOCKED: which host?"; exit ;;
esac
touch made/$id; made`;

useTools();

const doneIn = (project: Project): string[] =>
  [...read(project.tasks).matchAll(/^- \[x\] (\S+)/gm)].map(([, id = ""]) => id);
const without = (...left: readonly string[]): string[] => ids.filter((id) => !left.includes(id));

let one: ReturnType<typeof begin> | undefined;
async function begin() {
  const project = projectNamed("night", script, plan);
  return { project, morning: await start(project, "--yes", "--unattended") };
}
const night = () => {
  one ??= begin();
  return one;
};

describe("an unattended night", () => {
  it("does all tasks that need no person, and each line of its list, if pasted, resumes the run", async () => {
    const { project, morning } = await night();
    expect(morning.exitCode).toBe(3);
    expect(doneIn(project)).toEqual(without("1.3", "1.7"));
    expect(delegations(project)).toHaveLength(10);
    expect(morning.err.match(/which \w+\?/g)).toEqual(["which port?", "which host?"]);
    const advised = adviceIn(morning);
    expect(advised.map(({ said }) => said)).toEqual(
      ["1.3", "1.7"].flatMap((id) => [
        `${id}: Answer the question`,
        `${id}: Retry the task`,
        `${id}: Skip the task`,
        `${id}: End the run`,
      ]),
    );
    // Takes half of the lines, which still include every action and every task.
    for (const { said, line } of advised.filter((_, at) => at % 2 === Math.floor(at / 4))) {
      const [id = "", act = ""] = said.split(": ");
      const other = id === "1.3" ? "1.7" : "1.3";
      const own = copyOf(project);
      const end = await paste(own, line.replace("…", "8080 and localhost"));
      const more = delegations(own).slice(10);
      const told = [end.exitCode, doneIn(own), more];
      if (act === "Answer the question") expect(told).toEqual([3, without(other), [`${id}#2`]]);
      if (act === "Retry the task") expect(told).toEqual([3, without("1.3", "1.7"), [`${id}#2`]]);
      if (act === "Skip the task") expect([...told, end.out]).toEqual([3, without("1.3", "1.7"), [], end.out]);
      if (act === "Skip the task") expect(end.out).toContain(`\nskipped ${id}: `);
      if (act === "End the run") expect(end.out).toContain("\nOutcome: cancelled\n");
      if (act !== "End the run") expect(end.err, said).toContain(`${other}: Answer the question`);
    }
  });

  it("is explained by why, with commands that name the task", async () => {
    const { project } = await night();
    const told = await paste(copyOf(project), "fixpoint why 1.7 night");
    expect(told.out).toMatch(/^- retry the task: fixpoint resume night --task 1\.7 --decision retry$/m);
    const skip = /^- skip 1\.7: (.*)$/m.exec(told.out)?.[1];
    expect(skip).toBe("fixpoint resume night --task 1.7 --decision skip");
    expect(told.out).toMatch(/^- advise the executor: fixpoint resume night --task 1\.7 --guidance "…"$/m);
  });

  it("resumes after manual work, and asks about the rest again", async () => {
    const project = copyOf((await night()).project);
    writeFileSync(project.tasks, read(project.tasks).replace("[ ] 1.3", "[x] 1.3"));
    const next = await paste(project, "fixpoint run night");
    expect([next.exitCode, doneIn(project)]).toEqual([3, without("1.7")]);
    const last = await paste(project, "fixpoint resume night --guidance localhost");
    expect([last.exitCode, doneIn(project)]).toEqual([0, ids]);
  });

  it("lists the waiting tasks if an answer names none of them", async () => {
    const project = copyOf((await night()).project);
    const unnamed = await paste(project, "fixpoint resume night --decision retry");
    expect(unnamed).toMatchObject({ exitCode: 2 });
    expect(unnamed.err).toContain("expected --task with a task that waits: 1.3, 1.7");
    const other = await paste(project, "fixpoint resume night --task 1.4 --decision retry");
    expect(other).toMatchObject({ exitCode: 2 });
    expect((await paste(project, "fixpoint status night")).out).toContain("which host?");
    expect((await paste(project, "fixpoint why 1.3 night")).out).toContain("which port?");
  });
});
