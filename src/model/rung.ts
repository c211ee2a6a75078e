import { z } from "zod";

/**
 * A remedy for a failed attempt: delegate the task again, write a fix task first, have a repair operator choose, ask
 * for a different approach, have context gathered first, or stop with a report and ask.
 */
export const Rung = z.enum(["retry", "fix", "repair", "pivot", "research", "checkpoint"]);
export type Rung = z.infer<typeof Rung>;

/** The rungs that are climbed only while stuck, in their order. */
export const escalationRungs = ["pivot", "research", "checkpoint"] as const satisfies readonly Rung[];
export type EscalationRung = (typeof escalationRungs)[number];

const isEscalationRung = (rung: Rung): rung is EscalationRung => (escalationRungs as readonly Rung[]).includes(rung);

/** Whether being stuck means anything: the ladder has a rung for it. */
export const escalates = ({ recovery }: { readonly recovery: readonly Rung[] }): boolean =>
  recovery.some(isEscalationRung);

/** Rungs stand once each; those for being stuck come last, in their own order. */
export function isLadder(rungs: readonly Rung[]): boolean {
  const ordered = [
    ...rungs.filter((rung) => !isEscalationRung(rung)),
    ...escalationRungs.filter((rung) => rungs.includes(rung)),
  ];
  return new Set(rungs).size === rungs.length && rungs.every((rung, index) => rung === ordered[index]);
}
