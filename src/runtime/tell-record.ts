import type { Answer } from "../model/effect.ts";
import type { Fact } from "../model/explanation.ts";
import { spokenBy } from "../model/person-event.ts";
import type { Answered, TimedRunRecord } from "../model/record.ts";
import { attemptOf, numberOf, taskOf } from "../model/reply.ts";
import type { TaskId } from "../model/task.ts";
import { timeOf } from "./time-of.ts";

/** Derive facts from a record alone. */
export function tellRecord(record: TimedRunRecord): Fact[] {
  const at = timeOf(record.at);
  switch (record.type) {
    case "delegated": {
      const { task, role, attempt, level = "normal", executor = 0 } = record;
      return [{ kind: "delegated", at, task, role, attempt, level, executor }];
    }
    case "answered":
      return tellAnswer(record, at);
    case "refunded":
      return [{ kind: "refunded", at, task: taskOf(record.key), attempt: numberOf(record.key) }];
    case "reset":
      return [{ kind: "reset", at, task: record.task, ...spokenBy(record.by) }];
    case "guided":
      return [{ kind: "told", at, task: record.task, words: record.text, ...spokenBy(record.by) }];
    case "skipped":
      return [{ kind: "skipped", at, task: record.task, justification: record.justification, ...spokenBy(record.by) }];
    case "said": {
      const { event } = record;
      // Guidance is also recorded for its task.
      if (event.type === "guidance.given") return [];
      const words = event.type === "decision.made" ? event.decision : event.type;
      return [{ kind: "told", at, task: null, words, ...spokenBy(record.by) }];
    }
    case "unheard": {
      const { word, key, by } = record;
      // The key of a Verify command does not name its task.
      return [{ kind: "unheard", at, task: key.includes("#") ? taskOf(key) : null, word, key, by }];
    }
    case "mended":
      return record.passes.map(({ key, verify: { command, result } }) => {
        return { kind: "mended", at, task: taskOf(key), command, durationMs: result.durationMs };
      });
    case "merged":
      return Object.entries(record.collided).map(([task, collision]) => ({ kind: "collided", at, task, ...collision }));
    case "addition": {
      const { cause, checks, plan } = record;
      return plan.tasks.map(({ id }) => ({ kind: "added", at, task: id, cause, checks }));
    }
    // Other records hold the facts about these.
    default:
      return [];
  }
}

function tellAnswer(record: Answered, at: string): Fact[] {
  const { key, effect, answer, review, by } = record;
  const task = taskOf(key);
  const attempt = numberOf(attemptOf(key));
  const about = { at, task } as const;
  const asked = tellQuestion(record, about);
  switch (effect) {
    case "verify":
      return [...tellVerdict(answer, record, { ...about, attempt }), ...asked];
    case "readFailure": {
      const { kind, error, attemptedFix, status, fingerprint, signs = null } = answer;
      return [
        { kind: "failed", ...about, attempt, failure: { kind, error, attemptedFix, status, fingerprint }, signs },
      ];
    }
    case "review": {
      if (review === undefined) return asked;
      const { code, spec, round, verdict } = review;
      const findings = [code, spec].filter((text) => text !== "").join("\n");
      return [{ kind: "reviewed", ...about, round, passed: verdict === "pass", findings }, ...asked];
    }
    case "writeStuckReport":
      return [{ kind: "reported", ...about, path: answer.path }];
    case "askPerson": {
      if (answer.kind === "gate") return asked;
      const words = answer.kind === "guided" ? answer.text : answer.decision;
      return [{ kind: "told", ...about, words, ...spokenBy(by) }];
    }
    case "decide": {
      if (answer.kind === "begin") return [];
      const { kind, stuck, level, considered, counts } = answer;
      const decision = kind === "ask" ? "gate" : kind;
      return [{ kind: "decided", ...about, decision, stuck, level, considered, counts }];
    }
    case "nextPart":
      return [];
    default:
      return asked;
  }
}

interface About {
  readonly at: string;
  readonly task: TaskId;
}

/** The verdict with its evidence; only the result if no judgement is recorded. */
function tellVerdict(
  answer: Answer<"verify">,
  { judgement, verify }: Pick<Answered, "judgement" | "verify">,
  about: About & { readonly attempt: number },
): Fact[] {
  const ran = verify === undefined ? null : { command: verify.command, durationMs: verify.result.durationMs };
  if (judgement !== undefined) {
    const { kind: verdict, layers, evidence } = judgement;
    return [{ kind: "judged", ...about, verdict, layers, evidence, verify: ran }];
  }
  if (answer.kind === "gate" || answer.kind === "blocked") return [];
  const layers = answer.kind === "accepted" ? [] : [answer];
  return [{ kind: "judged", ...about, verdict: answer.kind, layers, evidence: null, verify: ran }];
}

/** A question or a run limit that stopped the run. */
function tellQuestion({ effect, answer }: Answered, about: About): Fact[] {
  if (answer.kind === "gate") {
    const { reason, hint } = answer;
    return [{ kind: "asked", ...about, decidable: effect === "askPerson", reason, hint }];
  }
  return answer.kind === "denied" ? [{ kind: "denied", ...about, limit: answer.limit, max: answer.max }] : [];
}
