import { clamp } from "../model/clamp.ts";
import type { VerifyEvidence } from "../model/evidence.ts";
import type { MadeFor } from "../model/fix-task.ts";
import type { Judgement } from "../model/judgement.ts";
import type { Role } from "../model/role.ts";
import type { TaskId } from "../model/task-id.ts";
import { claimOf } from "../parse/claim-of.ts";
import { checkRan } from "../recover/check-ran.ts";
import { judgeCompletion } from "../recover/judge-completion.ts";
import type { RecordedAttempt } from "./recorded-attempt.ts";
import type { Decision } from "./replayed.ts";

type Layer = Judgement["layers"][number];

/** Code points of a reason that are recorded. */
const maxText = 500;

/** What of an attempt's judgement can be made again. */
export interface JudgedAttempt {
  readonly task: TaskId;
  readonly attempt: RecordedAttempt;
  readonly judgement: Judgement;
  /** Undefined when it is not known. */
  readonly role: Role | undefined;
  readonly requireCommit: boolean;
  readonly madeFor: MadeFor | null;
}

/**
 * The judgement of an attempt, layer by layer, from what is recorded of its evidence. Boxes and the reality check are
 * taken as they were judged: plan and progress log as they were then are not in the journal.
 */
export function judgementDecisions(judged: JudgedAttempt): Decision[] {
  const { judgement } = judged;
  const { layers, kind } = judgement;
  const decisive = ["undecided", "failed", "rejected"].find((one) => layers.some((layer) => layer.kind === one));
  const expected = new Map(layersAnew(judged).map((layer) => [layer.layer, layer]));
  return [
    ...signsOf(judged),
    { what: "the verdict on a claim", expected: decisive ?? "accepted", recorded: kind },
    ...layers.flatMap((layer) => {
      const now = expected.get(layer.layer);
      return now === undefined ? [] : [{ what: `what layer ${layer.layer} says`, expected: now, recorded: layer }];
    }),
  ];
}

/** What the message says, where it stands in the journal and it is known in which role. */
function signsOf({ attempt: { reply }, judgement: { evidence }, role }: JudgedAttempt): Decision[] {
  if (reply === null) return [];
  const { signal, contradiction } = evidence;
  // Only the signal depends on the role.
  const claim = claimOf(reply, role ?? "executor");
  const admitted = { what: "the admission", expected: claim.contradiction, recorded: contradiction };
  return role === undefined ? [admitted] : [{ what: "the signal", expected: claim.signal, recorded: signal }, admitted];
}

/** The layers that are judged from what the journal holds. */
function layersAnew({ task, attempt, judgement, role, requireCommit, madeFor }: JudgedAttempt): Layer[] {
  const { evidence, layers } = judgement;
  const { signal, contradiction, git, exitCode, ended, unshipped = null } = evidence;
  const plan = { tasks: [], phases: [] };
  const anew = judgeCompletion({
    task: { id: task, markers: role === "verifier" ? ["VERIFY"] : [] },
    reply: { text: "", exitCode, ended },
    ...{ signal, contradiction, git, requireCommit, unshipped, madeFor },
    blocker: blockerIn(attempt, layers),
    before: plan as never,
    after: plan as never,
    requireExecutorTick: false,
    beside: [],
    verify: verifyIn(attempt),
    reality: null,
    review: null,
  });
  const judged = new Set(layers.map(({ layer }) => layer));
  return anew.layers
    .filter(({ layer }) => layer !== "checkmarks" && judged.has(layer))
    .map((result) => ({
      layer: result.layer,
      kind: result.kind,
      ...("reason" in result && { reason: clamp(result.reason, maxText) }),
      ...("note" in result && result.note !== undefined && { note: clamp(result.note, maxText) }),
    }));
}

/** What an executor asks a person: as its reply says, or as it was judged where that does not stand in the journal. */
const blockerIn = ({ reply }: RecordedAttempt, layers: readonly Layer[]): string | null =>
  reply === null
    ? (layers.find(({ layer, kind }) => layer === "signal" && kind === "undecided")?.reason ?? null)
    : claimOf(reply, "executor").question;

/** Null when no command was run. */
function verifyIn({ verify }: RecordedAttempt): VerifyEvidence | null {
  return verify === null ? null : checkRan(verify);
}
