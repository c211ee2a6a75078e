import { constants } from "node:os";
import { EnvironmentError } from "../../model/errors.ts";

/** Run a file operation. Turns a system error into an `EnvironmentError` with the path and errno. */
export function refused<Result>(verb: string, path: string, operate: () => Result): Result {
  try {
    return operate();
  } catch (cause) {
    throw refusalOf(verb, path, cause);
  }
}

export async function refusedAside<Result>(
  verb: string,
  path: string,
  operate: () => Promise<Result>,
): Promise<Result> {
  try {
    return await operate();
  } catch (cause) {
    throw refusalOf(verb, path, cause);
  }
}

function refusalOf(verb: string, path: string, cause: unknown): unknown {
  const { code, syscall } = cause as NodeJS.ErrnoException;
  if (code === undefined || syscall === undefined) return cause;
  return new EnvironmentError(`Cannot ${verb} \`${path}\`: ${systemError(cause)}`, {
    code: "file-refused",
    hint: "Solve the problem (space, permissions), then run again to resume",
    cause,
  });
}

/** Return the system's message about a refusal. Includes errno codes that Node does not know, such as EDQUOT. */
export function systemError(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  const { code, errno, message } = cause as NodeJS.ErrnoException;
  const name = errno !== undefined && /^unknown\b/i.test(String(code)) ? nameOf(-errno) : undefined;
  return name === undefined ? message : message.replace(`${code}:`, () => `${name}:`);
}

const nameOf = (errno: number): string | undefined =>
  Object.entries(constants.errno).find(([, value]) => value === errno)?.[0];
