import type { Proofs } from "../model/evidence.ts";
import { countOf } from "../model/text.ts";
import { escapeText } from "./escape-text.ts";

/**
 * Sum up the proofs of a run's tasks: `9 tasks: 5 proven, 2 checked, 1 unproven (2.1), 1 unverified`.
 *
 * @param of Number of planned tasks; shown if larger than the number of proofs.
 */
export function renderProofs(proofs: Proofs, of = 0): string {
  const { proven, checked, unproven, unverified } = proofs;
  const total = proven + checked + unproven.length + unverified.length;
  const tasks = of > total ? `${total} of ${countOf(of, "task")}` : countOf(total, "task");
  return `${tasks}: ${proofCounts(proofs, (ids) => ` (${list(ids)})`).join(", ")}`;
}

/** Count tasks by kind of proof, such as `5 proven`. @param named Renders the ids of doubtful tasks. */
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

const mostNamed = 12;

function list(ids: readonly string[]): string {
  const named = ids.slice(0, mostNamed).map(escapeText).join(", ");
  return ids.length > mostNamed ? `${named}, …` : named;
}
