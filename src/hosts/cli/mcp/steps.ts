import { InputError } from "../../../model/errors.ts";
import type { FileRun, NextStep, Reported } from "../../node/hand-out/file-run.ts";
import type { Report } from "../../node/hand-out/read-report.ts";

/** A report whose verdict is still to come. */
interface Checking {
  readonly kind: "checking";
  readonly key: string | null;
}

/** A report that was taken through this server. */
interface Taken {
  readonly nonce: string;
  readonly outcome: Promise<Reported>;
  isOver: boolean;
}

/** How many reports are remembered: who repeats one is told what came of it. */
const mostTaken = 100;

/**
 * The steps of a run, one after the other. What takes longer than a call may goes on behind it, and the next call tells
 * what came of it: nothing is done twice.
 */
export interface Steps {
  next(): Promise<NextStep | Checking>;
  report(nonce: string, report: Report): Promise<Reported | Checking>;
  /** Wait for the verdict that is still to come, else for what comes next. */
  wait(): Promise<Reported | NextStep | Checking>;
  /** Whether work was handed out through this server. */
  hasHanded(): boolean;
  /** Resolves when nothing is under way. */
  idle(): Promise<void>;
}

/**
 * @param open Opens the run: options and files may have changed between two steps.
 * @param patienceMs How long a call may take.
 */
export function createSteps(open: () => Promise<FileRun>, patienceMs: number): Steps {
  let last: Promise<unknown> = Promise.resolve();
  let hasHanded = false;
  const taken: Taken[] = [];
  const pending = (): Taken | undefined => taken.find(({ isOver }) => !isOver);
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
  const within = async <Result>(result: Promise<Result>, key: string | null): Promise<Result | Checking> => {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<Checking>((resolve) => {
      timer = setTimeout(() => resolve({ kind: "checking", key }), patienceMs);
    });
    try {
      return await Promise.race([result, late]);
    } finally {
      clearTimeout(timer);
    }
  };
  const stepOn = () =>
    within(
      inTurn(async () => note(await (await open()).next())),
      null,
    );
  return {
    next: stepOn,
    report: (nonce, report) => {
      const known = taken.find((each) => each.nonce === nonce);
      if (known !== undefined) return within(known.outcome, null);
      const outcome = inTurn(async () => note(await (await open()).report(nonce, report)));
      const one: Taken = { nonce, outcome, isOver: false };
      taken.push(one);
      if (taken.length > mostTaken) taken.splice(0, taken.length - mostTaken);
      const forget = (): void => void taken.splice(taken.indexOf(one), 1);
      outcome.then(({ verdict }) => {
        one.isOver = true;
        // It can be reported again once the question of the run is answered.
        if (verdict.kind === "not-taken") forget();
      }, forget);
      return within(outcome, null);
    },
    wait: () => {
      const one = pending();
      return one === undefined ? stepOn() : within(one.outcome, null);
    },
    hasHanded: () => hasHanded,
    idle: async () => void (await last),
  };
}

/** The refusal of words from who does the work. */
export const ownGate = (): InputError =>
  new InputError("Cannot say this from where work was handed out, expected a person", {
    code: "own-gate",
    hint: "A person says it in a terminal of their own: fixpoint say, or fixpoint resume for a run that has stopped",
  });
