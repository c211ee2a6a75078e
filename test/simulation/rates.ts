/**
 * - `mumbles`: replies without a valid signal. `contradicts`: claims completion, but admits a gap.
 * - `floods`: exceeds the output limit. `babbles`: fails with text that looks like boxes, fields and signals.
 * - `tampers`: changes the plan. `asks`: requests a plan change. `blocks`: asks a person.
 * - `mends`: makes some failing checks pass, may break other checks, and claims completion.
 */
export type Behaviour =
  | "does"
  | "fails"
  | "mumbles"
  | "lies"
  | "contradicts"
  | "crashes"
  | "hangs"
  | "floods"
  | "babbles"
  | "tampers"
  | "asks"
  | "unavailable"
  | "refuses"
  | "mends"
  | "blocks";

/**
 * - `refuse`: a port refuses a call. `jump`: the wall clock changes. `loss`: a task undoes earlier work.
 * - `away`: no one answers a question. `garble`: a repair operator gives no valid directive.
 * - `names`: a Verify names its failing checks. `trouble`: several Verify commands in a row find a full disk.
 */
type Fault =
  | "kill"
  | "refuse"
  | "jump"
  | "abort"
  | "loss"
  | "word"
  | "away"
  | "edit"
  | "complaint"
  | "garble"
  | "names"
  | "trouble";

/** Behaviours have relative weights. Faults have probabilities from 0 to 1. */
export type Rates = Readonly<Record<Behaviour | Fault, number>>;

export const behaviours = [
  ...(["does", "fails", "mumbles", "lies", "contradicts", "crashes", "hangs", "floods", "babbles"] as const),
  ...(["tampers", "asks", "unavailable", "refuses", "mends", "blocks"] as const),
] satisfies readonly Behaviour[];

export const roughRates: Rates = {
  ...{ does: 30, fails: 10, mumbles: 3, lies: 5, contradicts: 3, crashes: 4, hangs: 3, floods: 1, babbles: 5 },
  ...{ tampers: 7, asks: 5, unavailable: 4, refuses: 1, mends: 18, blocks: 2 },
  ...{ kill: 0.008, refuse: 0.004, jump: 0.004, abort: 0.002, loss: 0.05, word: 0.04, away: 0.4, edit: 0.15 },
  ...{ complaint: 0.3, garble: 0.3, names: 0.6, trouble: 0.02 },
};

export const calmFaults = { kill: 0, refuse: 0, jump: 0, abort: 0, word: 0, edit: 0, refuses: 0, trouble: 0 } as const;
