// A model that completes a plan with the tools of fixpoint. If the run asks a person, the model tries to answer
// instead.
import { callServerTool, callTool } from "./call-tool.mjs";
import { answerAside, isStep, scriptIn } from "./script.mjs";

const kinds = new Set(["work", "waiting", "asked", "ended", "checking"]);

export function workOff({ turns, tools, schema, folder }) {
  const aside = answerAside({ tools, schema });
  if (aside !== null) return aside;
  const results = turns.filter(({ role }) => role === "tool");
  const steps = results.map(({ text }) => stepIn(text));
  const at = steps.findLastIndex((step) => step !== null);
  const since = results.slice(at + 1);
  const call = nextCall(steps[at], since.length);
  if (call === null) return { text: `I stop here: ${steps[at]?.kind ?? "no task"}. ${since.at(-1)?.text ?? ""}` };
  const tool = "server" in call ? callServer(tools, call) : callTool(tools, call, folder);
  if (tool !== null) return { text: "I go on.", tool };
  return { text: `There is no such tool among ${tools.map(({ name }) => name).join(", ")}` };
}

const callServer = (tools, { server, args }) =>
  callServerTool(tools, server, args) ?? callServerTool(tools, "ToolSearch", { query: "fixpoint", max_results: 20 });

export function stepIn(text) {
  for (const found of objectsIn(text)) {
    for (const step of [found.next, found]) if (kinds.has(step?.kind)) return step;
  }
  return null;
}

function* objectsIn(value) {
  if (typeof value === "string") {
    const [json] = /[[{].*[}\]]/s.exec(value) ?? [];
    if (json !== undefined) yield* objectsIn(parse(json));
  } else if (typeof value === "object" && value !== null) {
    yield value;
    for (const inner of Object.values(value)) yield* objectsIn(inner);
  }
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const answers = [
  { server: "say", args: { word: "guidance", text: "Go on." } },
  { kind: "RUN", value: "sh fixpoint.sh resume demo --guidance 'Go on.'" },
];

function nextCall(step, since) {
  if (step === undefined) return since === 0 ? { server: "next_task", args: {} } : null;
  switch (step.kind) {
    case "work": {
      const [{ nonce, prompt }] = step.tasks;
      const words = scriptIn(prompt);
      if (words.some(({ kind }) => kind === "SILENT")) return null;
      const todo = words.filter(isStep);
      if (since < todo.length) return todo[since];
      const question = words.find(({ kind }) => kind === "BLOCKED")?.value;
      const claim =
        question === undefined ? { claim: "complete", message: "Done." } : { claim: "blocked", message: question };
      return since === todo.length ? { server: "report_result", args: { nonce, ...claim } } : null;
    }
    case "checking":
      return since === 0 ? { server: "wait_event", args: {} } : null;
    case "asked":
      return answers[since] ?? null;
    default:
      return null;
  }
}
