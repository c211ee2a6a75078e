import { FixpointError, InvariantError } from "../../../src/model/errors.ts";

/** The result of a call; null if it refused with an error that has a code. Every other error is rethrown. */
export function orRefused<Result>(call: () => Result): Result | null {
  try {
    return call();
  } catch (error) {
    if (isRefusal(error)) return null;
    throw error;
  }
}

/** Whether an error says who has to act: not a defect of ours. */
export const isRefusal = (error: unknown): error is FixpointError =>
  error instanceof FixpointError && !(error instanceof InvariantError) && /^[a-z]+(?:-[a-z]+)*$/.test(error.code);
