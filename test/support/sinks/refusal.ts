import { FixpointError, InvariantError } from "../../../src/model/errors.ts";

/** The result of a call; null if the call refused with a coded error. Rethrows every other error. */
export function orRefused<Result>(call: () => Result): Result | null {
  try {
    return call();
  } catch (error) {
    if (isRefusal(error)) return null;
    throw error;
  }
}

/** Whether an error is a refusal that says what to do, not a defect of ours. */
export const isRefusal = (error: unknown): error is FixpointError =>
  error instanceof FixpointError && !(error instanceof InvariantError) && /^[a-z]+(?:-[a-z]+)*$/.test(error.code);
