// The scripted model obeys commands in its prompt, which come from the tasks of a plan:
//
//   MODEL-RUN[<command>]         calls the agent's shell tool with the command, then claims completion
//   MODEL-WRITE[<path>=<text>]   writes the file with the agent's tool, then claims completion
//   MODEL-FAIL-ONCE[<id>|<text>] the first time, calls no tool and reports the task as failed with this error
//   MODEL-SAY[<text>]            says the text; \n is a line break
//   MODEL-BLOCKED[<question>]    reports the task as blocked, with this question
//   MODEL-SILENT[<text>]         ends without a report if asked to report with a tool
//
// Braces work like brackets, because the error of a failure may contain a command for the fix task. Only the last
// prompt with a command counts.
import { callTool, sampleOf } from "./call-tool.mjs";

const done = "The task is done as asked.\n\nTASK_COMPLETE";
const line = /MODEL-(RUN|WRITE|FAIL-ONCE|SAY|BLOCKED|SILENT)(?:\[([^\]]*)\]|\{([^}]*)\})/g;
const refusal =
  /requires approval|permission|not allowed|denied|rejected|declin|requested permissions|Read-only file system/i;

export const textsOf = (content) =>
  typeof content === "string"
    ? [content]
    : (content ?? []).flatMap((block) => (typeof block === "string" ? [block] : (block.text ?? [])));

export function followScript({ turns, tools, schema, failed, folder }) {
  const aside = answerAside({ tools, schema });
  if (aside !== null) return aside;
  const start = turns.findLastIndex(({ role, text }) => role === "user" && text.search(line) !== -1);
  if (start === -1) return { text: done };
  const results = turns.slice(start + 1).filter(({ role }) => role === "tool");
  const words = scriptIn(turns[start].text);
  for (const { kind, value } of words) {
    if (kind === "SAY") return { text: value.replaceAll("\\n", "\n") };
    if (kind === "BLOCKED") return { text: `BLOCKED: ${value}` };
    if (kind !== "FAIL-ONCE" || results.length > 0) continue;
    const [id, error = "it does not work yet"] = value.split("|");
    if (failed.has(id)) continue;
    failed.add(id);
    return { text: `I could not finish.\n\n${failure(id, error)}\n- Attempted fix: none\n- Status: Blocked` };
  }
  const refused = results.find(({ text }) => refusal.test(text));
  if (refused) {
    const why = refused.text.slice(0, 200).replaceAll("\n", " ");
    return { text: `The tool was refused: ${why}\n\n${failure("0", "the tool was refused")}` };
  }
  const step = words.filter(isStep)[results.length];
  if (step === undefined) return { text: done };
  const tool = callTool(tools, step, folder);
  if (tool !== null) return { text: "I look at it.", tool };
  return { text: `There is no such tool among ${tools.map(({ name }) => name).join(", ")}` };
}

export function answerAside({ tools, schema }) {
  if (schema) return { text: JSON.stringify(sampleOf({ type: "object", ...schema })) };
  // Requests without tools ask for a title or a summary.
  return tools.length === 0 ? { text: "A short title" } : null;
}

/** Drops duplicates, because the prompt of a fix task repeats the commands of the repaired task. */
export function scriptIn(text) {
  const all = [...text.matchAll(line)].map(([, kind, inBrackets, inBraces]) => ({
    kind,
    value: inBrackets ?? inBraces,
  }));
  const isSame = (one, other) => one.kind === other.kind && one.value === other.value;
  return all.filter((word, index) => all.findIndex((each) => isSame(each, word)) === index);
}

export const isStep = ({ kind }) => kind === "RUN" || kind === "WRITE";

const failure = (id, error) => `Task ${id}: FAILED\n- Error: ${error}`;
