import { renderProof } from "../model/evidence.ts";
import type { Fact } from "../model/explanation.ts";
import { worksOnTasks } from "../model/role.ts";
import { leftOutByPerson } from "../model/stuck-report.ts";
import { countOf } from "../model/text.ts";
import { flagOf } from "./explain-denial.ts";
import { renderDecision } from "./render-decision.ts";
import { insteadOf, renderProgress } from "./render-progress.ts";
import { isoTime, renderDuration } from "./render-time.ts";
import { racedWords, renderSayer, renderSpeaker, roleWords, saidBy } from "./role-words.ts";

/** A fact as a line, with details below that line; not escaped. */
export interface RenderedFact {
  readonly head: string;
  readonly details: readonly string[];
}

export function renderFact(fact: Fact): RenderedFact {
  switch (fact.kind) {
    case "started":
      return {
        head: `start ${fact.start} of the run, with ${fact.recovery.join(", ")}`,
        details: fact.changed.map(
          ({ name, from, to }) => `${name}: ${JSON.stringify(from)}, now ${JSON.stringify(to)}`,
        ),
      };
    case "ended":
      return { head: `start ${fact.start} ended: ${fact.outcome}${stopped(fact)}`, details: linesOf(fact.error ?? "") };
    case "delegated":
      return { head: delegatedLine(fact), details: [] };
    case "used":
      return line(usedLine(fact));
    case "judged":
      return judged(fact);
    case "failed":
      return failed(fact);
    case "reviewed": {
      const head = `review of ${fact.task} ${fact.passed ? "passed" : "ended with findings"} (round ${fact.round})`;
      return { head, details: linesOf(fact.findings) };
    }
    case "decided":
      return renderDecision(fact);
    case "denied":
      return line(`no further delegation: ${flagOf(fact.limit)} ${fact.max} is reached`);
    case "inserted":
      return line(
        `fix ${fact.fix} inserted below ${fact.task}${insteadOf(fact.supersedes)} (${fact.attempts} of ${fact.limit})`,
      );
    case "measured": {
      const { lost, gained } = fact.progress;
      return {
        head: `checks of ${fact.task}: ${renderProgress(fact.progress)}`,
        details: [
          ...(lost.length === 0 ? [] : [`no longer failing: ${lost.join("; ")}`]),
          ...(gained.length === 0 ? [] : [`newly failing: ${gained.join("; ")}`]),
        ],
      };
    }
    case "repaired": {
      const left = `${countOf(fact.budgetLeft, "directive", "directives")} left`;
      return line(`repair of ${fact.task}: ${fact.strategy.toUpperCase()}: ${fact.detail} (${left})`);
    }
    case "refused": {
      const what = fact.what === "repair" ? "directive" : "plan change";
      return line(`refused the ${what} for ${fact.task}: ${fact.reason}`);
    }
    case "changed":
      return line(`the plan was changed for ${fact.task}: ${fact.change}, added ${fact.added.join(", ")}`);
    case "reported":
      return line(`report written: ${fact.path}`);
    case "asked":
      return { head: `a person was asked about ${fact.task}`, details: linesOf(`${fact.reason}\n${fact.hint}`) };
    case "told":
      return line(
        `${renderSayer(fact.by)} said${fact.task === null ? "" : ` about ${fact.task}`}: ${fact.words}${saidBy(fact.by)}`,
      );
    case "unheard":
      return line(`refused a message from inside the run (${fact.key}): ${fact.word}${saidBy(fact.by)}`);
    case "waited": {
      const end = fact.until === null ? "a person has solved the problem" : isoTime(fact.until);
      return line(`${fact.task} waits until ${end} (${fact.reason}); this attempt does not count`);
    }
    case "skipped":
      if (fact.justification === null) return line(`${fact.task} is resumed${saidBy(fact.by)}`);
      return line(
        `${fact.task} was skipped: ${fact.justification === leftOutByPerson ? "a person decided so" : fact.justification}`,
      );
    case "reset":
      return line(`the counts of ${fact.task} start again from zero${saidBy(fact.by)}`);
    case "added":
      return line(addedLine(fact));
    case "refunded":
      return line(`attempt ${fact.attempt} on ${fact.task} was stopped before its claim was judged; it does not count`);
    case "mended": {
      const ran = `Verify ran in ${renderDuration(Math.round(fact.durationMs))}: ${fact.command}`;
      return { head: `Verify of ${fact.task} passed before anything was delegated: fixed by hand`, details: [ran] };
    }
    case "collided": {
      const head = `${fact.task} is repeated on top of the changes of other tasks`;
      const files = fact.files.map((path) => `also changed by other tasks, differently: ${path}`);
      return {
        head,
        details: fact.failed === null ? files : [`failed when combined with the other tasks' changes: ${fact.failed}`],
      };
    }
    case "raced":
      return line(`attempt ${fact.attempt} of the race on ${fact.task}: ${racedWords[fact.outcome]}`);
    case "taken":
      return line(`the race on ${fact.task} is over: the task continues with attempt ${fact.attempt}`);
    case "checked":
      return line(`${fact.command} ran for several tasks: ${fact.task} is ${renderProof(fact.proof)}`);
    case "broken":
      return { head: `${fact.command} fails since ${fact.task}`, details: linesOf(fact.error) };
    case "passed": {
      const fixes = fact.fixes.length === 0 ? "" : `, with ${countOf(fact.fixes.length, "fix", "fixes")}`;
      return line(
        `passed ${fact.task} after ${countOf(fact.attempts, "attempt", "attempts")}${fixes}, ${renderProof(fact.proof)}`,
      );
    }
  }
}

const line = (head: string): RenderedFact => ({ head, details: [] });

const stopped = ({ by }: Of<"ended">): string => (by === undefined ? "" : `, stopped by ${renderSpeaker(by)}`);

/** The first ten lines that are not blank. */
const linesOf = (text: string): string[] =>
  text
    .slice(0, 4000)
    .split("\n")
    .filter((each) => each.trim() !== "")
    .slice(0, 10);

type Of<Kind extends Fact["kind"]> = Extract<Fact, { kind: Kind }>;

function delegatedLine({ task, role, attempt, level, executor }: Of<"delegated">): string {
  const asked = roleWords[role].asked(task, attempt);
  if (!worksOnTasks(role)) return asked;
  const at = level === "normal" ? "" : `, at level ${level}`;
  const by = executor === 0 ? "" : `, to executor ${executor + 1}`;
  return `${asked}${at}${by}`;
}

function addedLine({ task, cause, checks }: Of<"added">): string {
  const head = cause.head.slice(0, 10);
  switch (cause.kind) {
    case "check":
      return `${task} was added because of red checks at ${head}: ${checks.join(", ")}`;
    case "thread":
      return `${task} was added for a comment of a reviewer, at ${head}`;
    case "conflict":
      return `${task} was added because ${head} conflicts with ${cause.base}`;
  }
}

function usedLine({ task, attempt, usage, durationMs }: Of<"used">): string {
  const { inputTokens = 0, outputTokens = 0, costUsd } = usage;
  const tokens = inputTokens + outputTokens;
  const used = [
    renderDuration(Math.round(durationMs)),
    ...(costUsd === undefined ? [] : [`$${costUsd.toFixed(2)}`]),
    ...(tokens === 0 ? [] : [countOf(tokens, "token", "tokens")]),
  ];
  return `used for ${task} (attempt ${attempt}): ${used.join(", ")}`;
}

function judged({ task, attempt, verdict, layers, evidence, verify }: Of<"judged">): RenderedFact {
  const said = layers.map(({ layer, kind, reason, note }) => {
    const more = reason ?? note;
    return `${layer}: ${kind}${more === undefined ? "" : `: ${more}`}`;
  });
  const ran =
    verify === null ? [] : [`Verify ran in ${renderDuration(Math.round(verify.durationMs))}: ${verify.command}`];
  return {
    head: `verdict on ${task} (attempt ${attempt}): ${verdict}`,
    details: [...said, ...ran, ...(evidence === null ? [] : evidenceLines(evidence))],
  };
}

function evidenceLines(evidence: NonNullable<Of<"judged">["evidence"]>): string[] {
  const { signal, contradiction, exitCode, ended, ticked, git, undeclared } = evidence;
  const boxes = [
    ...(ticked.set.length === 0 ? [] : [`set ${ticked.set.join(", ")}`]),
    ...(ticked.cleared.length === 0 ? [] : [`cleared ${ticked.cleared.join(", ")}`]),
  ];
  const files = git === null ? [] : [`changed files: ${git.changed.length}`];
  return [
    `executor: reported ${signal ?? "nothing"}, ${ended === "exit" ? `exit code ${exitCode}` : ended}`,
    ...(boxes.length === 0 ? [] : [`boxes: ${boxes.join(", ")}`]),
    ...files,
    ...(contradiction === null ? [] : [`its reply also says: ${contradiction}`]),
    ...(undeclared.length === 0 ? [] : [`changed, but not named by its Files: ${undeclared.join(", ")}`]),
  ];
}

function failed({ task, failure, signs }: Of<"failed">): RenderedFact {
  const { kind, error, attemptedFix, status, fingerprint } = failure;
  const seen = signs === null ? [] : signLines(signs);
  return {
    head: `failed ${task}: ${error}`,
    details: [
      `kind ${kind}, fingerprint ${fingerprint}`,
      `attempted fix: ${attemptedFix}`,
      `status: ${status}`,
      ...seen,
    ],
  };
}

function signLines({ strategy, findings, admission, changed }: NonNullable<Of<"failed">["signs"]>): string[] {
  return [
    ...(changed === false ? ["the files are as they were before the attempt"] : []),
    ...(strategy === null ? [] : [`tried: ${strategy}`]),
    ...findings.map((finding) => `found: ${finding}`),
    ...(admission === null ? [] : [`admits: ${admission}`]),
  ];
}
