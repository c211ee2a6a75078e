export interface Sink {
  readonly name: string;
  /** CI uses one of this many strings. */
  readonly every: number;
  open(): OpenSink;
}

export interface OpenSink {
  check(text: string): void | Promise<void>;
  close(): void;
}

export const pureSink = (name: string, check: (text: string) => void): Sink => ({
  name,
  every: 1,
  open: () => ({ check, close: () => {} }),
});
