// One trial under one policy: the shipped machine decides, the record says what each attempt came to.
import { createTaskMachine } from "../../dist/machines/index.js";
import { digestFailure, judgeCompletion, pending, report, start } from "../../dist/src/index.js";
import { failureSetOf } from "../../dist/src/model/failure-set.js";

/** Ids of failing checks that are made up where a record holds their number only: none. */
const plan = { tasks: [], phases: [] };
const machine = createTaskMachine();

/**
 * What a policy makes of a trial. The record tells what came of the next plain session, whoever asked for it; of a
 * session with a different prompt nobody knows. So what counts is exact up to the first pivot or question to an operator,
 * where the policy says that the task is stuck.
 *
 * @returns `used`: sessions until then; `end`: `solved`, `stopped` (a limit), `stuck` (it would try something else),
 *   `cap` (the record ends first).
 */
export function replayTrial(trial, { policy, reading }) {
  const { sessions } = trial;
  let used = 0;
  if (policy === null) {
    const solved = sessions.findIndex(({ failing }) => failing === 0);
    return solved === -1 ? { used: sessions.length, end: "cap" } : { used: solved + 1, end: "solved" };
  }
  let { state, events } = start(machine, { root: "1.1", policy });
  const step = (key, answer) => ({ state, events } = report(machine, state, key, answer));
  let last = null;
  let judged = null;
  for (;;) {
    if (events.some(({ type, level }) => type === "level.changed" && level !== "normal")) return { used, end: "stuck" };
    if (state.status === "done") return { used, end: state.output.kind === "passed" ? "solved" : "stopped" };
    const [effect] = pending(machine, state);
    const { name, key, input } = effect;
    switch (String(name)) {
      case "delegate":
        last = sessions[used];
        if (last === undefined) return { used, end: "cap" };
        used += 1;
        step(key, { kind: "replied" });
        break;
      case "verify":
        judged = verdict(last, trial, reading, madeFor(state, input.task));
        step(key, judged);
        break;
      case "readFailure":
        step(key, failureOf(last, trial, reading, input.task, judged.reason));
        break;
      case "insertFix":
        step(key, { kind: "inserted", fix: `${input.fixOf}.${input.made + 1}` });
        break;
      case "recordPass":
        step(key, { kind: "recorded" });
        if (used > 0 && last.failing === 0 && state.status !== "done") return { used, end: "solved" };
        break;
      case "askOperator":
      case "writeStuckReport":
      case "askPerson":
        return { used, end: "stuck" };
      default:
        throw new Error(`Nobody answers ${name}`);
    }
  }
}

function verdict(session, trial, reading, made) {
  const digest = session.failing === 0 ? null : digestOf(session, trial, reading);
  const { kind, layers } = judgeCompletion({
    task: { id: "1.1", markers: [] },
    reply: { text: "" },
    signal: "complete",
    blocker: null,
    contradiction: null,
    before: plan,
    after: plan,
    requireExecutorTick: false,
    beside: [],
    git: null,
    requireCommit: false,
    verify: { kind: "ran", exitCode: session.failing === 0 ? 0 : 1, timedOut: false, digest },
    reality: null,
    review: null,
    madeFor: made,
  });
  if (kind === "accepted") {
    const failing = digest === null ? null : failureSetOf(digest);
    return { kind, ...(failing !== null && { left: { failing, evidence } }) };
  }
  const { layer, reason } = layers.find((each) => each.kind === kind);
  return { kind, layer, reason };
}

const evidence = { command: null, claim: "", findings: "" };

function failureOf(session, trial, reading, taskId, error) {
  const failing = failureSetOf(digestOf(session, trial, reading));
  return digestFailure({
    ...{ taskId, failed: true, kind: "task", error, attemptedFix: "", status: "", rawOutput: "" },
    unstated: ["attemptedFix", "status"],
    ...(failing !== null && { failing }),
    evidence,
  });
}

/** A number in letters: the name of an error leaves digits of some places out. */
const spelled = (count) => "n".repeat(count);

function digestOf({ failing, names }, { total }, reading) {
  const none = { failures: [], head: "", tail: "", ran: total };
  if (reading !== "progress") {
    const message = reading === "all alike" ? "there are failures" : `there are ${spelled(failing)} failures`;
    const failure = { tool: "output", id: message, file: null, line: null, message };
    return { ...none, source: "last-line", failures: [failure], failed: null };
  }
  if (names === null) return { ...none, source: "count", failed: failing };
  const failures = names.map((id) => ({ tool: "tests", id, file: null, line: null, message: id }));
  return { ...none, source: "tools", failures, failed: failing };
}

/** What the fix that is up was made for; null for a task that is none. */
function madeFor({ nodes }, task) {
  for (const { context } of Object.values(nodes)) {
    const made = context?.spent?.[task]?.madeFor;
    if (made !== undefined) return made;
  }
  return null;
}
