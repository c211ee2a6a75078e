import { constants } from "node:os";

/** What the system says to a refusal, with the name of the errno also where Node has none for it, as for EDQUOT. */
export function systemError(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  const { code, errno, message } = cause as NodeJS.ErrnoException;
  const name = errno !== undefined && /^unknown\b/i.test(String(code)) ? nameOf(-errno) : undefined;
  return name === undefined ? message : message.replace(`${code}:`, () => `${name}:`);
}

const nameOf = (errno: number): string | undefined =>
  Object.entries(constants.errno).find(([, value]) => value === errno)?.[0];
