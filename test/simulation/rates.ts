/**
 * Behaviours of an executor for a delegation:
 * - `does`: does the task and claims completion
 * - `fails`: reports a failure in the required format; `mumbles`: replies without a valid signal
 * - `lies`: claims completion without the work; `contradicts`: claims completion, and admits a gap
 * - `crashes`: exits with an error code, with or without a claim; `hangs`: works until a time limit; `floods`: prints
 * more than the output limit
 * - `babbles`: fails with text that looks like boxes, fields, markers and signals
 * - `tampers`: changes the plan, and usually does the task; `asks`: requests a change of the plan
 * - `unavailable`: cannot work now, or needs a person first; `refuses`: cannot be started
 * - `mends`: makes some failing checks pass, may break other checks, and claims completion; `blocks`: asks a person
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
 * Other faults:
 * - at any call of a port or any record: `kill` kills the coordinator, `refuse` makes the port refuse, `jump` sets the
 * wall clock, `abort` interrupts the start
 * - `loss`: a task undoes earlier work
 * - `word`: a person sends a message during an attempt; `away`: no one is there to answer a question
 * - `edit`: a person edits the plan between two starts
 * - `complaint`: a reviewer finds something; `garble`: a repair operator gives no valid directive
 * - `names`: a Verify command names each of its failing checks; `trouble`: a few Verify commands in a row find a full
 * disk
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

/** Rates of events: relative weights of behaviours, probabilities from 0 to 1 of faults. */
export type Rates = Readonly<Record<Behaviour | Fault, number>>;

export const behaviours = [
  ...(["does", "fails", "mumbles", "lies", "contradicts", "crashes", "hangs", "floods", "babbles"] as const),
  ...(["tampers", "asks", "unavailable", "refuses", "mends", "blocks"] as const),
] satisfies readonly Behaviour[];

/** Rates with which every event occurs. */
export const roughRates: Rates = {
  ...{ does: 30, fails: 10, mumbles: 3, lies: 5, contradicts: 3, crashes: 4, hangs: 3, floods: 1, babbles: 5 },
  ...{ tampers: 7, asks: 5, unavailable: 4, refuses: 1, mends: 18, blocks: 2 },
  ...{ kill: 0.008, refuse: 0.004, jump: 0.004, abort: 0.002, loss: 0.05, word: 0.04, away: 0.4, edit: 0.15 },
  ...{ complaint: 0.3, garble: 0.3, names: 0.6, trouble: 0.02 },
};

/** Rates without faults, except those in the executors' work. */
export const calmFaults = { kill: 0, refuse: 0, jump: 0, abort: 0, word: 0, edit: 0, refuses: 0, trouble: 0 } as const;
