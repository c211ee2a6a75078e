import { fstatSync, ftruncateSync, readlinkSync, writeSync } from "node:fs";
import { EnvironmentError } from "../../model/errors.ts";
import { systemError } from "../files/refused.ts";

/**
 * Make sure that all of a child's output could be written, now that it has ended: where its file takes not one byte
 * more, what the child said may be missing, and nobody can tell whether it failed at its work or at telling of it.
 *
 * @param fd Descriptor of the file, opened to append.
 * @param file What wrote into it.
 * @throws {EnvironmentError} `output-not-written`
 */
export function checkWritten(fd: number, file: string): void {
  // A limit on the size of files kills who does not listen.
  process.on("SIGXFSZ", ignore);
  try {
    const { size } = fstatSync(fd);
    writeSync(fd, "\n");
    ftruncateSync(fd, size);
  } catch (cause) {
    throw new EnvironmentError(
      `Cannot keep what \`${file}\` prints${placeOf(fd)} (${systemError(cause)}), expected room for it`,
      {
        code: "output-not-written",
        hint: "Make room (disk, quota, limit on the size of files), then run again: it is repeated",
        cause,
      },
    );
  } finally {
    process.off("SIGXFSZ", ignore);
  }
}

/** Where a file lies, as far as the system tells. */
function placeOf(fd: number): string {
  try {
    return ` in \`${readlinkSync(`/proc/self/fd/${fd}`)}\``;
  } catch {
    return "";
  }
}

const ignore = (): void => {};
