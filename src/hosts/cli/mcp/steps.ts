import { InputError } from "../../../model/errors.ts";
import type { FileRun, Reported } from "../../node/hand-out/file-run.ts";
import type { NextStep } from "../../node/hand-out/next-step.ts";
import type { Report } from "../../node/hand-out/read-report.ts";

/** A step or a verdict that is not available yet. */
interface Checking {
  readonly kind: "checking";
}

interface Taken {
  readonly nonce: string;
  /** The input of the report, as JSON. */
  readonly said: string;
  readonly outcome: Promise<Reported>;
  /** Whether the client has received the verdict. False if the client cancelled the call first. */
  isTold: boolean;
}

/** The next step, with the verdict of the previous report if the client has not received it. */
type Next = NextStep & Partial<Pick<Reported, "key" | "verdict">>;

/** Number of the latest reports whose verdicts are kept for a repeated report. */
const mostTaken = 100;

/**
 * The steps of a run, one after the other. A step that exceeds the time limit of a call continues in the background,
 * and the next call returns its result: nothing is done twice, and no verdict is lost. `signal` cancels a call.
 */
export interface Steps {
  next(signal?: AbortSignal): Promise<Next | Checking>;
  report(nonce: string, report: Report, signal?: AbortSignal): Promise<Reported | Checking>;
  /** Wait for the verdict that is still to be delivered; if there is none, wait for the next step. */
  wait(signal?: AbortSignal): Promise<Reported | Next | Checking>;
  hasHanded(): boolean;
  /** Resolves when no step is running. */
  idle(): Promise<void>;
}

/**
 * @param open Opens the run; called again for each step, since options and files may change.
 * @param patienceMs Maximum time of a call, in milliseconds.
 */
export function createSteps(open: () => Promise<FileRun>, patienceMs: number): Steps {
  let last: Promise<unknown> = Promise.resolve();
  let hasHanded = false;
  const taken: Taken[] = [];
  const inTurn = <Result>(act: () => Promise<Result>): Promise<Result> => {
    const result = last.then(act);
    last = result.catch(() => {});
    return result;
  };
  const note = <Result extends NextStep | Reported>(result: Result): Result => {
    const { kind } = "next" in result ? result.next : (result as NextStep);
    if (kind === "work") hasHanded = true;
    return result;
  };
  const within = async <Result>(result: Promise<Result>): Promise<Result | Checking> => {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<Checking>((resolve) => {
      timer = setTimeout(() => resolve({ kind: "checking" }), patienceMs);
    });
    try {
      return await Promise.race([result, late]);
    } finally {
      clearTimeout(timer);
    }
  };
  /**
   * Return the result of a report. A report that failed or was not accepted is dropped, so that the client can send it
   * again.
   */
  const tell = async (one: Taken, signal?: AbortSignal): Promise<Reported | Checking> => {
    const forget = (): void => void taken.splice(taken.indexOf(one), 1);
    try {
      const result = await within(one.outcome);
      if (!("verdict" in result)) return result;
      one.isTold ||= signal?.aborted !== true;
      if (result.verdict.kind === "not-taken") forget();
      return result;
    } catch (error) {
      forget();
      throw error;
    }
  };
  const untold = (): Taken | undefined => taken.find(({ isTold }) => !isTold);
  const stepOn = () => within(inTurn(async () => note(await (await open()).next())));
  return {
    next: async (signal) => {
      const one = untold();
      if (one === undefined) return await stepOn();
      const result = await tell(one, signal);
      if (!("verdict" in result)) return result;
      const { key, verdict, next } = result;
      return { ...next, key, verdict };
    },
    report: (nonce, report, signal) => {
      const said = JSON.stringify(report);
      // A different report with this nonce goes to the run, which refuses it after the first report.
      const known = taken.find((each) => each.nonce === nonce && each.said === said);
      if (known !== undefined) return tell(known, signal);
      const outcome = inTurn(async () => note(await (await open()).report(nonce, report)));
      // The callers of `tell` handle the error.
      outcome.catch(() => {});
      const one: Taken = { nonce, said, outcome, isTold: false };
      taken.push(one);
      if (taken.length > mostTaken) taken.shift();
      return tell(one, signal);
    },
    wait: (signal) => {
      const one = untold();
      return one === undefined ? stepOn() : tell(one, signal);
    },
    hasHanded: () => hasHanded,
    idle: async () => void (await last),
  };
}

/** Error for a message from the process that does the work. */
export const ownGate = (): InputError =>
  new InputError("Cannot send this message from the agent that does the work, expected a person", {
    code: "own-gate",
    hint: "A person sends such a message from another terminal: fixpoint say, or fixpoint resume for a run that has stopped",
  });
