import type { Proof, Proofs } from "../model/evidence.ts";
import { countOf } from "../model/text.ts";
import { escapeText } from "./escape-text.ts";

/** Name the proof of a task; for an unproven task with the reason. */
export const tellProof = (proof: Proof): string =>
  proof.kind === "unproven" ? `unproven: ${proof.reason}` : proof.kind;

/**
 * What has shown that the tasks of a run are done: `9 tasks: 5 proven, 2 checked, 1 unproven (2.1), 1 unverified`.
 *
 * @param of How many tasks there are (no more than these if not given).
 */
export function tellProofs(proofs: Proofs, of = 0): string {
  const { proven, checked, unproven, unverified } = proofs;
  const total = proven + checked + unproven.length + unverified.length;
  const tasks = of > total ? `${total} of ${countOf(of, "task")}` : countOf(total, "task");
  return `${tasks}: ${proofCounts(proofs, (ids) => ` (${list(ids)})`).join(", ")}`;
}

/** Count tasks by kind of proof, such as `5 proven`. @param named Renders the ids of the doubtful ones. */
export function proofCounts(
  { proven, checked, unproven, unverified }: Proofs,
  named: (ids: readonly string[]) => string = () => "",
): string[] {
  const doubtful = { unproven: unproven.map(({ task }) => task), unverified };
  return [
    ...(proven > 0 ? [`${proven} proven`] : []),
    ...(checked > 0 ? [`${checked} checked`] : []),
    ...Object.entries(doubtful).flatMap(([kind, ids]) =>
      ids.length > 0 ? [`${ids.length} ${kind}${named(ids)}`] : [],
    ),
  ];
}

/** Maximum number of ids named. */
const mostNamed = 12;

function list(ids: readonly string[]): string {
  const named = ids.slice(0, mostNamed).map(escapeText).join(", ");
  return ids.length > mostNamed ? `${named}, …` : named;
}
