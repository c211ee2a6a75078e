import type { Ending, Reply } from "../model/reply.ts";

/** A duration as the command line takes it. */
export function tellDuration(ms: number): string {
  if (ms % 3_600_000 === 0) return `${ms / 3_600_000}h`;
  if (ms % 60_000 === 0) return `${ms / 60_000}m`;
  return ms % 1000 === 0 ? `${ms / 1000}s` : `${ms}ms`;
}

/** An amount of output, in whole mebibytes. */
export const tellSize = (bytes: number): string => `${Math.ceil(bytes / 1024 / 1024)} MiB`;

const told: Partial<Record<Ending, (limit: number) => string>> = {
  timeout: (ms) => `Stopped after ${tellDuration(ms)} (--task-timeout)`,
  idle: (ms) => `Stopped after ${tellDuration(ms)} without output (--idle-timeout)`,
  flood: (bytes) => `Stopped after ${tellSize(bytes)} of output (--max-output)`,
};

/** Which limit has stopped an executor, and the option that sets it; null when none did, or it is not known. */
export const tellLimit = ({ ended = "exit", limit }: Pick<Reply, "ended" | "limit">): string | null =>
  limit === undefined ? null : (told[ended]?.(limit) ?? null);
