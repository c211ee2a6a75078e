import type { CompletionEvidence, Judgement, RealityEvidence, Verdict, VerifyEvidence } from "../model/evidence.ts";
import type { Plan } from "../model/plan.ts";
import { clamp } from "../model/text.ts";

const maxListed = 50;
const maxText = 500;

export function recordJudgement(
  { kind, layers }: Verdict,
  evidence: CompletionEvidence,
  undeclared: readonly string[],
): Judgement {
  const { signal, contradiction, reply, before, after, git, verify, reality, unshipped = null } = evidence;
  return {
    kind,
    layers: layers.map((result) => ({
      layer: result.layer,
      kind: result.kind,
      ...("reason" in result
        ? { reason: clamp(result.reason, maxText) }
        : result.note !== undefined && { note: clamp(result.note, maxText) }),
    })),
    evidence: {
      signal,
      contradiction,
      exitCode: reply.exitCode ?? 0,
      ended: reply.ended ?? "exit",
      ticked: compareTicks(before, after),
      git: git && { ...git, changed: git.changed.slice(0, maxListed) },
      undeclared: undeclared.slice(0, maxListed),
      verify: verify && renderRun(verify),
      reality: reality && renderRun(reality),
      ...(unshipped !== null && { unshipped: { ...unshipped, dirty: [...unshipped.dirty] } }),
    },
  };
}

function compareTicks(before: Plan, after: Plan): Judgement["evidence"]["ticked"] {
  if (before === after) return { set: [], cleared: [] };
  const ticked = ({ tasks }: Plan): Set<string> => new Set(tasks.filter(({ done }) => done).map(({ id }) => id));
  const [was, is] = [ticked(before), ticked(after)];
  return {
    set: [...is].filter((id) => !was.has(id)).slice(0, maxListed),
    cleared: [...was].filter((id) => !is.has(id)).slice(0, maxListed),
  };
}

function renderRun(run: VerifyEvidence | RealityEvidence): string {
  switch (run.kind) {
    case "ran":
      if (run.timedOut) return "timed out";
      if (run.limitBytes !== undefined) return "printed too much";
      return run.exitCode === null ? "ended by a signal" : `exit ${run.exitCode}`;
    case "unrunnable":
      return clamp(`no Verify ran: ${run.reason}`, maxText);
    case "trusted":
      return "not run: executors are trusted";
    case "missing":
      return "no command";
  }
}
