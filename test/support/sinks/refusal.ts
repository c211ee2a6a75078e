import { FixpointError, InvariantError } from "../../../src/model/errors.ts";

export function orRefused<Result>(call: () => Result): Result | null {
  try {
    return call();
  } catch (error) {
    if (isRefusal(error)) return null;
    throw error;
  }
}

export const isRefusal = (error: unknown): error is FixpointError =>
  error instanceof FixpointError && !(error instanceof InvariantError) && /^[a-z]+(?:-[a-z]+)*$/.test(error.code);
