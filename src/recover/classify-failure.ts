import type { Failure, FailureKind } from "../model/failure.ts";
import type { Ending, Reply } from "../model/reply.ts";

const kinds: Record<Ending, FailureKind | null> = {
  exit: null,
  timeout: "timeout",
  idle: "timeout",
  flood: "timeout",
  signal: "crash",
  spawn: "crash",
};

/**
 * The kind of a failure, told from how the executor ended. What it wrote is not asked but for whether it wrote
 * anything.
 */
export function classifyFailure({ reply, failure }: { reply: Reply; failure: Pick<Failure, "kind"> }): FailureKind {
  const { text, stderr = "", exitCode = 0, ended = "exit" } = reply;
  const silent = exitCode !== 0 && `${text}${stderr}`.trim() === "";
  return kinds[ended] ?? (silent ? "crash" : failure.kind);
}
