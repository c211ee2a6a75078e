import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runSpec } from "../../src/hosts/node/run-spec.ts";
import type { TimedRunEvent } from "../../src/model/event.ts";
import type { Executor } from "../../src/ports/executor.ts";
import { type Project, projectWith } from "../support/project.ts";
import { contentOf, journalPath, read } from "../support/traces.ts";

const plan = "# Tasks\n\n- [ ] 1.1 First\n  - **Verify**: `true`\n";
const token = ["ghp", "_", "a1B2".repeat(9)].join("");

async function eventsOf(project: Project, executor: Executor): Promise<readonly TimedRunEvent[]> {
  const events: TimedRunEvent[] = [];
  const { spec, workspace } = project;
  const onEvent = (event: TimedRunEvent): void => void events.push(event);
  await runSpec({ spec, workspace, executors: { executor }, yes: true, onEvent });
  return events;
}
const ofType = <Type extends TimedRunEvent["type"]>(events: readonly TimedRunEvent[], type: Type) =>
  events.filter((event): event is Extract<TimedRunEvent, { type: Type }> => event.type === type);

describe("a function that reports its progress", () => {
  it("is shown while it works, without secrets, and is not recorded", async () => {
    const project = projectWith({ plan });
    const events = await eventsOf(project, async (_delegation, _signal, progress) => {
      progress({ tool: "Bash", line: `curl -H 'Authorization: ${token}'`, tokens: 7 });
      return { text: "", claim: { kind: "complete" } };
    });
    const [before, work, verify] = ofType(events, "task.progress");
    expect(before).toMatchObject({ task: "1.1", key: "1.1#1", stage: "verify", line: "true", tool: null });
    expect(work).toMatchObject({ task: "1.1", key: "1.1#1", stage: "work", tool: "Bash", tokens: 7 });
    expect(work?.line).toMatch(/^curl -H 'Authorization: \[redacted\]'/);
    expect(verify).toMatchObject({ task: "1.1", key: "1.1#1", stage: "verify", line: "true", tool: null });
    expect(events.at(-1)).toMatchObject({ type: "run.ended", outcome: "complete" });
    const files = Object.values(contentOf(project.workspace)).map((bytes) => Buffer.from(bytes, "base64").toString());
    expect(files.filter((text) => /curl -H|task\.progress/.test(text))).toEqual([]);
    expect(ofType(events, "task.delegated")).toMatchObject([{ task: "1.1" }]);
    expect(ofType(events, "task.delegated")[0]).not.toHaveProperty("output");
  });

  it("cannot claim anything with secrets in it", async () => {
    const project = projectWith({ plan });
    await eventsOf(project, async () => ({ text: "", claim: { kind: "blocked", question: `Is ${token} the key?` } }));
    expect(read(journalPath(project))).toContain("Is [redacted] the key?");
    expect(read(journalPath(project))).not.toContain(token);
  });
});

describe("a running program", () => {
  it("is shown with the path of its output, and its last line", async () => {
    const project = projectWith({ plan, script: "echo looking around; until [ -e go ]; do sleep 0.05; done; made" });
    const events: TimedRunEvent[] = [];
    const { spec, workspace } = project;
    const ended = await runSpec({
      ...{ spec, workspace, executors: { executor: "./executor.sh" }, yes: true },
      onEvent: (event) => {
        events.push(event);
        if (event.type === "task.progress" && event.line === "looking around") writeFileSync(join(workspace, "go"), "");
      },
    });
    expect(ended.outcome).toBe("complete");
    const [delegated] = ofType(events, "task.delegated");
    expect(delegated?.output).toBe(join(project.data, "run-1", "out", "1.1#1.out"));
    expect(read(delegated?.output ?? "")).toMatch(/^looking around\n/);
  });
});
