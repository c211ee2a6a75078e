import { commandLine, type SpecAddress } from "../../../model/command-line.ts";
import { renderProof } from "../../../model/evidence.ts";
import { type PullRequestStatus, type RunStatus, renderDamage, type TaskStatus } from "../../../model/status.ts";
import { countOf } from "../../../model/text.ts";
import { questionOfRun } from "../../../runtime/open-questions.ts";
import { escapeLines, escapeText } from "../../../wording/escape-text.ts";
import { renderProgress } from "../../../wording/render-progress.ts";
import { renderDuration } from "../../../wording/render-time.ts";
import { saidBy } from "../../../wording/role-words.ts";
import { readStatus } from "../../node/reading/read-status.ts";
import { command, json, queue, runNumber, withNamed } from "../command.ts";

export const status = command({
  options: { run: runNumber, queue, json },
  example: "fixpoint status my-feature",
  async run({ words: [named], given: { run, queue: from }, open, print, surroundings: { folder } }) {
    const place = { queue: from, named, folder };
    await withNamed(
      place,
      () => open(named, "status"),
      ({ spec, address, asked }) => {
        const found = withQuestion(readStatus(spec.folder, { run, address }), asked ?? null, address);
        print(found, () => renderStatus(found, address));
      },
    );
  },
});

/** @param asked Open question to a person about the whole run; no record contains it. */
const withQuestion = (status: RunStatus, asked: string | null, address: SpecAddress): RunStatus =>
  asked === null ? status : { ...status, question: questionOfRun(asked, address) };

function renderStatus(status: RunStatus, address: SpecAddress): string {
  const { completed, total, iterations, outcome, killed, running, paused, unheard, question, damaged, tasks } = status;
  const skipped = tasks.filter(({ state, depth }) => state === "skipped" && depth === 0).length;
  const facts = [
    `${completed}/${total} completed`,
    ...(skipped === 0 ? [] : [`${skipped} skipped`]),
    ...(running === null
      ? []
      : [`${paused ? "paused" : "running"}${address.fleet ? "" : ` as process ${running.pid}`}`]),
    ...(outcome === null ? [] : [`last run: ${outcome}`]),
    ...(killed ? ["last run: killed"] : []),
    ...(iterations === 0 ? [] : [countOf(iterations, "delegation", "delegations"), ...spending(status.spent)]),
  ];
  const stopped = killed || outcome === "interrupted";
  const out = status.handedOut.map(
    ({ key, since }) => `${key} was handed out, and is not reported yet (since ${since})`,
  );
  const goOn =
    question === null && (stopped || paused)
      ? ["", `Continue: ${commandLine(address, stopped ? "run" : "resume")}`]
      : [];
  const asked = question === null ? [] : ["", question.text, ...(question.hint === null ? [] : [question.hint])];
  const lost = damaged === null ? [] : ["", escapeText(renderDamage(damaged))];
  const shipped = status.pullRequest === null ? [] : ["", escapeText(renderPullRequest(status.pullRequest))];
  const told = [
    ...shipped,
    ...lost,
    ...(out.length === 0 ? [] : ["", ...out]),
    ...renderUnheard(unheard),
    ...asked.map(escapeLines),
    ...goOn.map(escapeText),
  ];
  return [facts.join(", "), ...tasks.map(renderTask), ...told].map((line) => `${line}\n`).join("");
}

function renderPullRequest({ number, url, head, green, waiting, added }: PullRequestStatus): string {
  const { checks, threads, conflicts } = added;
  const facts = [
    ...(head === null ? [] : [`head ${head.slice(0, 10)}${green ? ", green" : ""}`]),
    ...(waiting === null
      ? []
      : [`waits for ${waitsFor(waiting.reason)}, at most until ${new Date(waiting.until).toISOString()}`]),
    ...(checks === 0 ? [] : [`${countOf(checks, "task", "tasks")} for checks`]),
    ...(threads === 0 ? [] : [`${countOf(threads, "task", "tasks")} for reviews`]),
    ...(conflicts === 0 ? [] : [`${countOf(conflicts, "task", "tasks")} for conflicts`]),
  ];
  return `Pull request ${number}: ${[url, ...facts].join(", ")}`;
}

function waitsFor(reason: string): string {
  if (reason === "checks") return "checks";
  return reason === "merge" ? "the forge to compute whether a merge is possible" : `the forge (${reason})`;
}

/** Time, cost and tokens of a run, as far as known. */
function spending({ elapsedMs, costUsd, tokens }: RunStatus["spent"]): string[] {
  return [
    renderDuration(Math.round(elapsedMs)),
    ...(costUsd === 0 ? [] : [`$${costUsd.toFixed(2)}`]),
    ...(tokens === 0 ? [] : [countOf(tokens, "token", "tokens")]),
  ];
}

/** Show the last refused message, and the number of messages refused before it. */
function renderUnheard(unheard: RunStatus["unheard"]): string[] {
  const last = unheard.at(-1);
  if (last === undefined) return [];
  const more = unheard.length === 1 ? "" : `, and ${unheard.length - 1} before`;
  return ["", escapeText(`refused a message from inside the run (${last.key}): ${last.word}${saidBy(last.by)}${more}`)];
}

function renderTask(task: TaskStatus): string {
  const { id, title, state, level, depth, lastError, justification, progress } = task;
  const where = level === "normal" ? "" : ` [${level}]`;
  const reason = justification ?? (state === "passed" || state === "skipped" ? null : lastError);
  const isOpen = state !== "passed" && state !== "skipped";
  const measured = progress === null || !isOpen ? "" : ` [${renderProgress(progress)}]`;
  const shown = task.proof === null ? "" : ` [${renderProof(task.proof)}]`;
  const told = `${state} ${id} ${title}${where}${measured}${shown}${triesOf(task)}${reason === null ? "" : `: ${reason}`}`;
  return `${"  ".repeat(depth)}${escapeText(told)}`;
}

function triesOf({ attempts, pivots, researches, races }: TaskStatus): string {
  if (attempts === 0) return "";
  const climbed = [
    ...(pivots === 0 ? [] : [`${pivots} for pivot`]),
    ...(researches === 0 ? [] : [`${researches} for research`]),
    ...(races === 0 ? [] : [`${races} in a race`]),
  ];
  // The levels belong to the whole tree, where attempts at fix tasks may have reached them.
  const whose = pivots + researches + races > attempts ? "; in the whole tree:" : ":";
  const levels = climbed.length === 0 ? "" : `${whose} ${climbed.join(", ")}`;
  return ` (${countOf(attempts, "attempt", "attempts")}${levels})`;
}
