import type { Answer, EffectInput } from "../../model/effect.ts";
import type { Question } from "../../model/person-event.ts";
import type { Book, Look } from "../../model/pull-request.ts";
import type { PullRequestPolicy } from "../../model/pull-request-policy.ts";
import type { Forge, Hindered, Refused } from "../../ports/forge.ts";
import { judgePullRequest, type PullRequestJudgement } from "../../recover/judge-pull-request.ts";
import { authorsIn, requestingIn } from "../../recover/open-threads.ts";
import type { WholePorts } from "../with-memory.ts";
import { asAnswer, type ShippingPorts, shipping, tickMilestones } from "./shipping-ports.ts";

export interface Judged {
  readonly look: Look;
  readonly judgement: Exclude<PullRequestJudgement, { kind: "unexplained" }>;
  readonly wanting: { readonly requesting?: string[] };
}

export async function lookAndJudge(
  { forge, clock }: ShippingPorts,
  { number, policy, book }: { readonly number: number; readonly policy: PullRequestPolicy; readonly book: Book },
  signal: AbortSignal,
): Promise<Judged | Hindered | Question> {
  lookedAt.set(forge, clock.now());
  const seen = await forge.look(number, signal);
  if (seen.kind !== "look") return asAnswer(seen);
  const { look } = seen;
  const writers = await writersIn(forge, look, signal);
  if ("kind" in writers) return asAnswer(writers);
  const judge = (baseChecked: boolean | null) =>
    judgePullRequest(look, book, policy, clock.now(), { writers, baseChecked });
  const judgement = judge(null);
  const requesting = requestingIn(look, writers, policy.trustedReviewers);
  const wanting = requesting.length === 0 ? {} : { requesting };
  if (judgement.kind !== "unexplained") return { look, judgement, wanting };
  const base = await forge.lookAtBase(look.base, signal);
  if (base.kind !== "base") return asAnswer(base);
  return { look, judgement: judge(base.look.checked) as Judged["judgement"], wanting };
}

const lookedAt = new WeakMap<Forge, number>();

/** Time of the next look: one pause after the last look, or now if this process has not looked yet. */
export function nextLook({ forge, clock }: ShippingPorts, pause: number): number {
  const now = clock.now();
  // A clock set back must not prolong the wait.
  return Math.min((lookedAt.get(forge) ?? now - pause) + pause, now + pause);
}

/** Whether each login has write access; queried once per start. */
const known = new WeakMap<Forge, Map<string, boolean>>();

export async function writersIn(
  forge: Forge,
  look: Look,
  signal: AbortSignal,
): Promise<ReadonlySet<string> | Hindered | Refused> {
  const rights = known.get(forge) ?? new Map<string, boolean>();
  known.set(forge, rights);
  for (const login of authorsIn(look)) {
    if (rights.has(login)) continue;
    const said = await forge.may(login, signal);
    if (said.kind !== "known") return said;
    rights.set(login, said.write);
  }
  return new Set([...rights].flatMap(([login, write]) => (write ? [login] : [])));
}

export async function readPullRequest(
  ports: WholePorts,
  input: EffectInput<"readPullRequest">,
  signal: AbortSignal,
): Promise<Answer<"readPullRequest">> {
  const judged = await lookAndJudge(shipping(ports), input, signal);
  if ("kind" in judged) return judged;
  const { judgement, wanting } = judged;
  // A pull request merged by someone has reached its goal.
  if (judgement.kind === "merged") await tickMilestones(ports, "opened", "checked", "reviewed", "confirmed");
  if (judgement.kind === "green") await tickMilestones(ports, "checked", "reviewed");
  return judgement.kind === "merged" ? { ...judgement, ...wanting } : judgement;
}
