/** A place that foreign text goes to, by the code of the product. */
export interface Sink {
  readonly name: string;
  /** In CI every so manieth string is tried there. */
  readonly every: number;
  open(): OpenSink;
}

/** A sink with the files it needs. */
export interface OpenSink {
  /** Brings a text there. Throws where something of it went through. */
  check(text: string): void | Promise<void>;
  close(): void;
}

/** A sink that touches no file and starts no program. */
export const pureSink = (name: string, check: (text: string) => void): Sink => ({
  name,
  every: 1,
  open: () => ({ check, close: () => {} }),
});
