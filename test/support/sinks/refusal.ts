import { FixpointError, InvariantError } from "../../../src/model/errors.ts";

/** What a call answers; null when it refused with an error that has a code. Every other error goes on. */
export function orRefused<Result>(call: () => Result): Result | null {
  try {
    return call();
  } catch (error) {
    if (isRefusal(error)) return null;
    throw error;
  }
}

/** Whether an error says whose move it is: not a defect of ours. */
export const isRefusal = (error: unknown): error is FixpointError =>
  error instanceof FixpointError && !(error instanceof InvariantError) && /^[a-z]+(?:-[a-z]+)*$/.test(error.code);
