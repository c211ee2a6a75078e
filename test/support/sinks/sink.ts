/** A sink of foreign text, by the code of the product. */
export interface Sink {
  readonly name: string;
  /** CI tries every nth string there. */
  readonly every: number;
  open(): OpenSink;
}

/** A sink with the files it needs. */
export interface OpenSink {
  /** Writes a text there. Throws if a part of it was not escaped. */
  check(text: string): void | Promise<void>;
  close(): void;
}

/** A sink that touches no file and starts no program. */
export const pureSink = (name: string, check: (text: string) => void): Sink => ({
  name,
  every: 1,
  open: () => ({ check, close: () => {} }),
});
