import { escalationRungs, type Rung } from "../../model/rung.ts";

/** The choices that a ladder is made of; one that is not given is as good as false. */
export interface LadderChoices {
  readonly recoveryMode?: boolean | undefined;
  readonly repair?: boolean | undefined;
  readonly escalation?: boolean | undefined;
}

/** The remedies that were chosen, in the order in which they are tried; undefined when nothing was said about any. */
export function composeLadder({ recoveryMode, repair, escalation }: LadderChoices): Rung[] | undefined {
  if (recoveryMode === undefined && repair === undefined && escalation === undefined) return undefined;
  const recovers: readonly Rung[] = [...(recoveryMode ? ["fix" as const] : []), ...(repair ? ["repair" as const] : [])];
  return [...(recovers.length === 0 ? ["retry" as const] : recovers), ...(escalation ? escalationRungs : [])];
}
