import { fstatSync, ftruncateSync, readlinkSync, writeSync } from "node:fs";
import { EnvironmentError } from "../../model/errors.ts";
import { systemError } from "../files/refused.ts";

/**
 * Check that all output of a child that has ended could be written. If its file takes not one byte more, output may be
 * missing, and nobody knows whether the child failed at its work or at printing.
 *
 * @param fd Descriptor of the file, opened to append.
 * @param file The program that wrote into it.
 * @throws {EnvironmentError} `output-not-written`
 */
export function checkWritten(fd: number, file: string): void {
  // Without a listener, a limit on the size of files kills this process.
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

/** Path of an open file, as far as the system reports it. */
function placeOf(fd: number): string {
  try {
    return ` in \`${readlinkSync(`/proc/self/fd/${fd}`)}\``;
  } catch {
    return "";
  }
}

const ignore = (): void => {};
