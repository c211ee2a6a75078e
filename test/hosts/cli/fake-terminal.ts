import type { Terminal } from "../../../src/hosts/cli/terminal.ts";

export interface FakeTerminal extends Terminal {
  /** What was printed. */
  readonly printed: { out: string; err: string };
}

/** A terminal that keeps what is printed; a pipe unless said otherwise. */
export function fakeTerminal(look: Partial<Terminal> = {}): FakeTerminal {
  const printed = { out: "", err: "" };
  return {
    printed,
    out: (text) => {
      printed.out += text;
    },
    err: (text) => {
      printed.err += text;
    },
    isTTY: false,
    columns: 80,
    rows: 24,
    colour: false,
    ...look,
  };
}
