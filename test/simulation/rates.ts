/**
 * Behaviours of an executor for a delegation:
 *
 * - `does`: the task, and claims it
 * - `fails`: says so in the format for failures; `mumbles`: says so in words of its own
 * - `lies`: claims what it has not done; `contradicts`: claims it, and says that it is not done
 * - `crashes`: ends with an exit code, with or without a claim; `hangs`: until a time limit; `floods`: the output cap
 * - `babbles`: fails with text that looks like boxes, fields, markers and signals
 * - `tampers`: does it, and changes the plan; `asks`: for a change of the plan
 * - `unavailable`: cannot work now, or not without a person; `refuses`: cannot even be started
 * - `mends`: some of the checks that fail, and now and then breaks others, and claims it; `blocks`: asks a person
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
 *
 * - `kill`, `refuse`, `jump`, `abort`: at each call of a port or record, the coordinator is killed, the port refuses,
 *   the wall clock is set, or the start is interrupted
 * - `loss`: a task undoes earlier work
 * - `word`: a person sends a message during an attempt; `away`: no one is there to answer a question
 * - `edit`: a person edits the plan between two starts
 * - `complaint`: a reviewer finds something; `garble`: a repair operator gives no good directive
 * - `names`: a Verify command names each of its checks that fails; `trouble`: from one on, some find a full disk
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

/** The rates of events: behaviours by relative weight, faults by probability from 0 to 1. */
export type Rates = Readonly<Record<Behaviour | Fault, number>>;

export const behaviours = [
  ...(["does", "fails", "mumbles", "lies", "contradicts", "crashes", "hangs", "floods", "babbles"] as const),
  ...(["tampers", "asks", "unavailable", "refuses", "mends", "blocks"] as const),
] satisfies readonly Behaviour[];

/** Everything happens. */
export const roughRates: Rates = {
  ...{ does: 30, fails: 10, mumbles: 3, lies: 5, contradicts: 3, crashes: 4, hangs: 3, floods: 1, babbles: 5 },
  ...{ tampers: 7, asks: 5, unavailable: 4, refuses: 1, mends: 18, blocks: 2 },
  ...{ kill: 0.008, refuse: 0.004, jump: 0.004, abort: 0.002, loss: 0.05, word: 0.04, away: 0.4, edit: 0.15 },
  ...{ complaint: 0.3, garble: 0.3, names: 0.6, trouble: 0.02 },
};

/** No more faults of the coordinator. */
export const calmFaults = { kill: 0, refuse: 0, jump: 0, abort: 0, word: 0, edit: 0, refuses: 0, trouble: 0 } as const;
