export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Resolves at an absolute time, rejects when aborted. */
  sleepUntil(time: number, signal: AbortSignal): Promise<void>;
}
