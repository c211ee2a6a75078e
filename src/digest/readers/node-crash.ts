import { type Place, stackPlace } from "../shapes.ts";

/** An error that nobody caught, by which a program of Node has ended. */
export interface NodeCrash {
  readonly error: string;
  /** Where it was, in the project. */
  readonly place: Place | null;
}

/** Reads such errors line by line: answers one at its last line, else null. */
export function readNodeCrash(): (line: string) => NodeCrash | null {
  let error: string | null = null;
  let place: Place | null = null;
  return (line) => {
    const first = line.charCodeAt(0);
    if (first === 0x4e && error !== null && /^Node\.js v\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(line)) {
      const crash = { error, place };
      error = null;
      place = null;
      return crash;
    }
    if (first >= 0x41 && first <= 0x5a && /^[A-Z]?\w{0,60}Error(?: \[\w{1,60}\])?: \S/.test(line)) error = line;
    else if (error === null && (first === 0x2f || first === 0x66)) place = stackPlace(`at ${line}:1`) ?? place;
    else if (error !== null && place === null && first === 0x20) place = stackPlace(line);
    return null;
  };
}

/** What the runner of Node says of a file that it could not load. */
const unloaded = "test failed";

/** The message and the place of a failure: those of the crash behind it, where the runner itself knows none. */
export const behindCrash = (message: string, crash: NodeCrash | null) =>
  message !== unloaded || crash === null ? { message } : { message: crash.error, ...crash.place };
