import { EnvironmentError } from "../model/errors.ts";
import { systemError } from "./system-error.ts";

/** Run a file operation; what the system refuses becomes an error that names the path and the errno. */
export function refused<Result>(verb: string, path: string, operate: () => Result): Result {
  try {
    return operate();
  } catch (cause) {
    const { code, syscall } = cause as NodeJS.ErrnoException;
    if (code === undefined || syscall === undefined) throw cause;
    throw new EnvironmentError(`Cannot ${verb} \`${path}\`: ${systemError(cause)}`, {
      code: "file-refused",
      hint: "Mend it (space, permissions), then run again to go on",
      cause,
    });
  }
}
