import { describe, expect, it } from "vitest";
import { createEffects } from "../../src/effects/create-effects.ts";
import { createRunMemory } from "../../src/effects/run-memory.ts";
import { withMemory } from "../../src/effects/with-memory.ts";
import type { RunRecord } from "../../src/model/record.ts";
import type { CommandRequest } from "../../src/ports/person.ts";
import type { Ports } from "../../src/ports/ports.ts";
import { memoryStore } from "../../src/testing/memory-store.ts";
import { scriptedShell } from "../../src/testing/scripted-shell.ts";
import { inputs } from "../support/effect-inputs.ts";
import { memoryPorts } from "../support/memory-run.ts";

const never = new AbortController().signal;
const block = (id: string, verify: string): string =>
  `- [ ] ${id} Task ${id}\n  - **Do**: Do it\n  - **Files**: src/${id}.ts\n  - **Done when**: done\n  - **Verify**: ${verify}\n  - **Commit**: \`feat: ${id}\`\n`;
const plan = `${block("1.1", "`check`")}${block("1.2", "`check 1.2`")}`;
const prose = "`a.md` is right, and so is `b.md`";
const request = (type: string, ...proposedTasks: string[]): string =>
  `TASK_MODIFICATION_REQUEST\n\`\`\`json\n${JSON.stringify({ type, originalTaskId: "1.1", reasoning: "r", proposedTasks })}\n\`\`\`\n`;

/** An executor asks for other tasks. @param tick It ticks its box as well. */
async function change(
  said: string,
  {
    text = plan,
    more = {} as Partial<Ports>,
    tick = false,
    records = [] as readonly RunRecord[],
    meanwhile = (_: ReturnType<typeof memoryStore>): void => {},
  } = {},
) {
  const store = memoryStore(text);
  const made: RunRecord[] = [];
  const append = (more: readonly RunRecord[]) => void made.push(...more);
  const memory = createRunMemory({ open: 2, store: { append, writeOutput: () => {}, readOutput: async () => "" } });
  const execute = async (): Promise<string> => {
    if (tick) store.tasks.text = store.tasks.text.replace("[ ] 1.1", "[x] 1.1");
    return said;
  };
  const asked: CommandRequest[] = [];
  const consent: NonNullable<Ports["consent"]> = async (commands) => {
    asked.push(commands);
    meanwhile(store);
    return { given: true };
  };
  const ports = { ...memoryPorts(store, execute), consent, ...more, attempts: memory };
  const effects = createEffects(withMemory(ports));
  const delegated = await effects.delegate(inputs.delegate("1.1"), never);
  for (const record of records) memory.apply(record);
  const again = () => effects.changePlan({ key: "1.1#1/changePlan", task: "1.1", root: "1.1" }, never);
  const answer = await again();
  return { answer, delegated, store, memory, made, asked, again };
}

describe("tasks that an executor asks for", () => {
  it("stand before its own once the owner agrees to their commands, and are recorded before", async () => {
    const { answer, delegated, store, made, asked } = await change(
      request("ADD_PREREQUISITE", block("1.0", "`check 1.0`")),
    );
    expect(delegated).toEqual({ kind: "requested" });
    expect(answer).toStrictEqual({ kind: "replanned", change: "ADD_PREREQUISITE", added: ["1.0"] });
    expect(asked).toEqual([{ purpose: "verify", commands: ["check 1.0"] }]);
    expect(store.tasks.text.indexOf("1.0 Task")).toBeLessThan(store.tasks.text.indexOf("1.1 Task"));
    expect(made.map(({ type }) => type)).toEqual(["delegated", "answered", "planned", "answered"]);
  });

  it("stand behind it where it claims to be done, and its claim with its tick is judged later", async () => {
    const said = `${request("ADD_FOLLOWUP", block("1.1a", "`check`"))}\nTASK_COMPLETE`;
    const { answer, store } = await change(said, { tick: true });
    expect(answer).toStrictEqual({ kind: "extended", change: "ADD_FOLLOWUP", added: ["1.1a"] });
    expect(store.tasks.text).toContain("[x] 1.1 Task");
    const first = await change(request("ADD_PREREQUISITE", block("1.0", "`check`")), { tick: true });
    expect(first.store.tasks.text).toContain("[ ] 1.1 Task");
    const unclaimed = await change(request("ADD_FOLLOWUP", block("1.1a", "`check`")));
    expect(unclaimed.answer).toStrictEqual({
      ...{ kind: "refused", reason: "a follow-up needs the claim that the task is done" },
    });
  });

  it("are written by a start that finds them recorded, and written once", async () => {
    const said = request("ADD_PREREQUISITE", block("1.0", "`check`"));
    const { answer, again, store, made, asked } = await change(said);
    const before = store.tasks.text;
    expect(await again()).toStrictEqual(answer);
    expect(store.tasks.text).toBe(before);
    expect(asked).toHaveLength(1);
    const planned = made.filter(({ type }) => type === "planned");
    expect(planned).toHaveLength(1);
    const next = await change("TASK_COMPLETE", { records: planned });
    expect(next.answer).toStrictEqual(answer);
    expect(next.store.tasks.text).toBe(before);
  });

  it.each([
    ["it asks for nothing", "TASK_COMPLETE"],
    ["no JSON follows the request", "TASK_MODIFICATION_REQUEST\n"],
    ["a split needs at least 2 tasks", request("SPLIT_TASK", block("1.1a", "`check`"))],
    ["the plan has a task 1.2 already", request("ADD_PREREQUISITE", block("1.2", "`check`"))],
    [
      "a split keeps the Verify of its task in one of its parts",
      request("SPLIT_TASK", block("1.1a", "`check a`"), block("1.1b", "`check b`")),
    ],
  ])("are refused where %s", async (reason, said) => {
    const { answer, store, asked } = await change(said);
    expect(answer).toStrictEqual({ kind: "refused", reason });
    expect([store.tasks.text, asked]).toEqual([plan, []]);
  });

  it("are refused where one is not whole, or its Verify does not run", async () => {
    const unrunnable = request("ADD_PREREQUISITE", block("1.0", prose));
    expect((await change(unrunnable)).answer).toMatchObject({
      ...{ kind: "refused", reason: expect.stringMatching(/^the Verify of task 1\.0 cannot be run: /) },
    });
    const shell = { ...scriptedShell(), exists: async () => false };
    const bare = request("ADD_PREREQUISITE", block("1.0", "npm test"));
    expect((await change(bare, { more: { shell } })).answer).toStrictEqual({
      ...{ kind: "refused", reason: "the Verify of task 1.0 cannot be run: `npm` is not a command here" },
    });
    expect((await change(bare)).answer).toMatchObject({ kind: "replanned" });
    const code = request("ADD_PREREQUISITE", block("1.0", "`npm test`"));
    expect((await change(code, { more: { shell } })).answer).toMatchObject({ kind: "replanned" });
    const halves = request("ADD_PREREQUISITE", "- [ ] 1.0 Half of it\n");
    const { answer } = await change(halves);
    expect(answer).toMatchObject({ kind: "refused", reason: expect.stringContaining("1.0") });
  });

  it("are refused where one was in the plan before", async () => {
    const records: RunRecord[] = [
      { type: "delegated", key: "1.0#1", task: "1.0", role: "executor", attempt: 1, retries: 0, elapsedMs: 0 },
    ];
    const said = request("ADD_PREREQUISITE", block("0.9", "`check`"), block("1.0", "`check`"));
    expect((await change(said, { records })).answer).toStrictEqual({
      ...{ kind: "refused", reason: "a task 1.0 was in the plan before" },
    });
  });

  it("may take the place of a task without a Verify that runs", async () => {
    const text = plan.replace("`check`", prose);
    const said = request("SPLIT_TASK", block("1.1a", "`check a`"), block("1.1b", "`check b`"));
    expect((await change(said, { text })).answer).toMatchObject({ kind: "replanned", added: ["1.1a", "1.1b"] });
  });

  it("are fitted into the plan again once the owner has agreed", async () => {
    const meanwhile = ({ tasks }: ReturnType<typeof memoryStore>): void => {
      tasks.text = tasks.text.replace("1.2 Task", "1.2 Other");
    };
    const said = request("ADD_PREREQUISITE", block("1.0", "`check`"));
    const { answer, made } = await change(said, { meanwhile });
    expect(answer).toMatchObject({ kind: "gate", reason: expect.stringContaining("while task 1.1 was worked on") });
    expect(made.map(({ type }) => type)).not.toContain("planned");
  });
});

describe("commands that nobody has agreed to", () => {
  const said = request("ADD_PREREQUISITE", block("1.0", "`check`"), block("0.9", "`rm a`"));

  it("are asked about by name", async () => {
    const consent = async () => ({ given: false, hint: "agree with --yes" }) as const;
    expect((await change(said, { more: { consent } })).answer).toStrictEqual({
      kind: "gate",
      reason:
        "Task 1.1 asks for tasks whose Verify commands nobody has agreed to:\n2 items:\n  check\n  rm a\nThat was 2 items.",
      hint: "Read them; agree with --yes",
    });
  });

  it("are all but those of the plan where nobody can be asked, even if one of them is there", async () => {
    const more = { consent: undefined } as never;
    const { answer, store } = await change(said, { more });
    expect(answer).toMatchObject({ kind: "gate", hint: "Read them; nobody can be asked here" });
    expect(store.tasks.text).toBe(plan);
    const known = request("ADD_PREREQUISITE", block("1.0", "`check`"), block("0.9", "`check 1.2`"));
    expect((await change(known, { more })).answer).toMatchObject({ kind: "replanned" });
  });
});
