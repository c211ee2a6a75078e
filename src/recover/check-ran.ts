import type { CheckRan } from "../model/evidence.ts";
import type { VerifyRun } from "../ports/attempt-record.ts";

/** What a command that checks something has come to, as its claim is judged by it. */
export function checkRan({ result, digest }: Pick<VerifyRun, "result" | "digest">): CheckRan {
  const { exitCode, timedOut, limitMs, limitBytes } = result;
  return {
    ...{ kind: "ran", exitCode, timedOut, digest },
    ...(limitMs !== undefined && { limitMs }),
    ...(limitBytes !== undefined && { limitBytes }),
  };
}
