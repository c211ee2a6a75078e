import type { Proof, Proofs } from "../model/evidence.ts";
import { countOf } from "../model/text.ts";
import { escapeText } from "./escape-text.ts";

/** What has shown that a task is done, in a word, and why that shows nothing. */
export const tellProof = (proof: Proof): string =>
  proof.kind === "unproven" ? `unproven: ${proof.reason}` : proof.kind;

/** What has shown that the tasks of a run are done: `9 tasks: 5 proven, 2 checked, 1 unproven (2.1), 1 unverified`. */
export function tellProofs({ proven, checked, unproven, unverified }: Proofs): string {
  const total = proven + checked + unproven.length + unverified.length;
  const counts = [
    ...(proven > 0 ? [`${proven} proven`] : []),
    ...(checked > 0 ? [`${checked} checked`] : []),
    ...(unproven.length > 0 ? [`${unproven.length} unproven (${list(unproven.map(({ task }) => task))})`] : []),
    ...(unverified.length > 0 ? [`${unverified.length} unverified (${list(unverified)})`] : []),
  ];
  return `${countOf(total, "task", "tasks")}: ${counts.join(", ")}`;
}

/** Ids that are named. */
const mostNamed = 12;

function list(ids: readonly string[]): string {
  const named = ids.slice(0, mostNamed).map(escapeText).join(", ");
  return ids.length > mostNamed ? `${named}, …` : named;
}
