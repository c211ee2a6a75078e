import type { Terminal } from "../../../src/hosts/cli/cli-command.ts";
import { at } from "./sample-events.ts";

export interface FakeTerminal extends Terminal {
  readonly printed: { out: string; err: string };
  readonly pass: (seconds: number) => void;
}

export function fakeTerminal(look: Partial<Terminal> = {}): FakeTerminal {
  const printed = { out: "", err: "" };
  const acts = new Set<() => void>();
  let time = Date.parse(at);
  return {
    printed,
    pass: (seconds) => {
      for (let second = 0; second < seconds; second++) {
        time += 1000;
        for (const act of acts) act();
      }
    },
    now: () => time,
    everySecond: (act) => {
      acts.add(act);
      return () => acts.delete(act);
    },
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
