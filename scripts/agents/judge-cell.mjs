import { readAttempt } from "./read-attempt.mjs";

const trouble =
  /retry|reconnect|overload|unavailable|(?:rate|usage) limit|quota|error|fail|refused|connect|network|ENOTFOUND|EAI_AGAIN/i;
const unchanged = new Set(["wait", "ask", "refused"]);

export function judgeCell(kase, seen, expected) {
  const kind = kindOf(kase, seen);
  const fixes = seen.events.filter(({ type }) => type === "fix.inserted").length;
  const problems = [];
  if (!expected.includes(kind)) problems.push(`expected ${expected.join(" or ")}`);
  // Accept fix tasks after silence, because the task may have caused it.
  const isTasksFault = kind === "silence" || kase.isTaskAtFault === true;
  if (!isTasksFault && fixes !== (kase.fixes ?? 0)) problems.push(`${fixes} fix tasks`);
  if (unchanged.has(kind) && seen.isPlanChanged) problems.push("tasks.md changed");
  if (kind === "attempt" && kase.lifts && seen.outcome !== "complete") problems.push(`then ${seen.outcome}`);
  if (kase.commit && kind === "complete" && !seen.commits.includes(kase.commit)) problems.push("not committed");
  if (seen.left.length > 0) problems.push(`${seen.left.length} processes left`);
  return { kind, problems };
}

function kindOf(kase, { events, stopped, exitCode, outcome, place }) {
  const has = (type) => events.some((event) => event.type === type);
  if (!has("task.delegated")) return exitCode === 2 ? "refused" : `exit ${exitCode}`;
  if (stopped === "waits") return "wait";
  if (outcome === "gate") return "ask";
  if (has("task.failed") && kase.fixes === undefined) return isSilent(kase, events, place) ? "silence" : "attempt";
  return stopped ?? outcome;
}

function isSilent(kase, events, place) {
  const timeOf = (type) => Date.parse(events.find((event) => event.type === type).at);
  const lasted = timeOf("task.failed") - timeOf("task.delegated");
  if (kase.isServiceAtFault !== true || lasted < kase.seconds * 1000) return false;
  const { out, err } = readAttempt(place);
  // Drop lines in which a tool repeats the prompt or the names of its own tools.
  const told = out.split("\n").filter((line) => !/MODEL-|"init"/.test(line));
  return ![...told, err].some((text) => trouble.test(text));
}
