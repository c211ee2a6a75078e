import { type Answer, type EffectName, effects } from "../model/effect.ts";
import type { Fact } from "../model/explanation.ts";
import { Denial } from "../model/limits.ts";
import { Question } from "../model/question.ts";
import type { TimedRunRecord } from "../model/record.ts";
import { attemptOf, effectOf, taskOf } from "../model/reply.ts";
import { spokenBy } from "../model/speaker.ts";
import type { TaskId } from "../model/task-id.ts";
import { timeOf } from "./time-of.ts";

type Answered = Extract<TimedRunRecord, { type: "answered" }>;

/** What a record says by itself, whatever it has led to. */
export function tellRecord(record: TimedRunRecord): Fact[] {
  const at = timeOf(record.at);
  switch (record.type) {
    case "delegated": {
      const { task, role, attempt, level = "normal", executor = 0 } = record;
      return [{ kind: "delegated", at, task, role, attempt, level, executor }];
    }
    case "answered":
      return tellAnswer(record, at);
    case "spared":
      return [{ kind: "spared", at, task: taskOf(record.key), attempt: numberOf(record.key) }];
    case "reset":
      return [{ kind: "reset", at, task: record.task, ...spokenBy(record.by) }];
    case "guided":
      return [{ kind: "told", at, task: record.task, words: record.text, ...spokenBy(record.by) }];
    case "skipped":
      return [{ kind: "skipped", at, task: record.task, justification: record.justification, ...spokenBy(record.by) }];
    case "said": {
      const { event } = record;
      // Advice is recorded for its task, too.
      if (event.type === "guidance.given") return [];
      const words = event.type === "decision.made" ? event.decision : event.type;
      return [{ kind: "told", at, task: null, words, ...spokenBy(record.by) }];
    }
    case "unheard": {
      const { word, key, by } = record;
      // A Verify command does not know for which task it runs.
      return [{ kind: "unheard", at, task: key.includes("#") ? taskOf(key) : null, word, key, by }];
    }
    case "mended":
      return record.passes.map(({ key, verify: { command, result } }) => {
        return { kind: "mended", at, task: taskOf(key), command, durationMs: result.durationMs };
      });
    // What they are about is told with the answer that comes behind them, or stands before them.
    case "advised":
    case "judged":
    case "intended":
    case "closed":
    case "planned":
    case "boxes":
    case "dropped":
    case "passed":
    case "left":
    case "continued":
    case "withdrawn":
    case "released":
    case "ended":
      return [];
  }
}

function tellAnswer(record: Answered, at: string): Fact[] {
  const { key, review } = record;
  const task = taskOf(key);
  const attempt = numberOf(attemptOf(key));
  const about = { at, task } as const;
  switch (effectOf(key)) {
    case "verify": {
      const verdict = tellVerdict(record, { ...about, attempt });
      return [...verdict, ...tellQuestion(record.answer, about)];
    }
    case "readFailure": {
      const failure = answerAs("readFailure", record.answer);
      if (failure === null) return [];
      const { kind, error, attemptedFix, status, fingerprint, signs = null } = failure;
      return [
        {
          kind: "failed",
          ...about,
          attempt,
          failure: { kind, error, attemptedFix, status, fingerprint },
          signs,
        },
      ];
    }
    case "review": {
      const found = [review?.code, review?.spec].filter((text) => text !== undefined && text !== "").join("\n");
      const told: Fact[] =
        review === undefined
          ? []
          : [{ kind: "reviewed", ...about, round: review.round, passed: review.verdict === "pass", findings: found }];
      return [...told, ...tellQuestion(record.answer, about)];
    }
    case "writeStuckReport": {
      const path = answerAs("writeStuckReport", record.answer)?.path;
      return path === undefined ? [] : [{ kind: "reported", ...about, path }];
    }
    case "askPerson": {
      const answer = answerAs("askPerson", record.answer);
      if (answer?.kind === "guided") return [{ kind: "told", ...about, words: answer.text, ...spokenBy(record.by) }];
      if (answer?.kind === "decided")
        return [{ kind: "told", ...about, words: answer.decision, ...spokenBy(record.by) }];
      return tellQuestion(record.answer, about, true);
    }
    default:
      return tellQuestion(record.answer, about);
  }
}

interface About {
  readonly at: string;
  readonly task: TaskId;
}

/** The verdict with what it was made from; of records without, what was concluded. */
function tellVerdict({ answer, judgement, verify }: Answered, about: About & { readonly attempt: number }): Fact[] {
  const ran = verify === undefined ? null : { command: verify.command, durationMs: verify.result.durationMs };
  if (judgement !== undefined) {
    const { kind: verdict, layers, evidence } = judgement;
    return [{ kind: "judged", ...about, verdict, layers, evidence, verify: ran }];
  }
  const concluded = answerAs("verify", answer);
  if (concluded === null || concluded.kind === "gate" || concluded.kind === "blocked") return [];
  const layers = concluded.kind === "accepted" ? [] : [concluded];
  return [{ kind: "judged", ...about, verdict: concluded.kind, layers, evidence: null, verify: ran }];
}

/** A question that stopped the run, or a limit of the whole run that did. */
function tellQuestion(answer: unknown, about: About, decidable = false): Fact[] {
  const question = Question.safeParse(answer).data;
  if (question !== undefined) {
    return [{ kind: "asked", ...about, decidable, reason: question.reason, hint: question.hint }];
  }
  const denial = Denial.safeParse(answer).data;
  return denial === undefined ? [] : [{ kind: "denied", ...about, limit: denial.limit, max: denial.max }];
}

/** An answer as its effect gives it; null for one of another version. */
function answerAs<Name extends EffectName>(name: Name, answer: unknown): Answer<Name> | null {
  const parsed = effects[name].answer.safeParse(answer);
  return parsed.success ? (parsed.data as Answer<Name>) : null;
}

/** The number in `<task id>#<attempt>`. */
const numberOf = (attempt: string): number => Number(attempt.slice(attempt.lastIndexOf("#") + 1));
