import type { Reading } from "./reader.ts";

/** Reads how many failures an output itself counts, whatever has printed it. */
export interface FailureCounter {
  readonly read: (line: string) => void;
  readonly end: () => Reading | null;
}

/** A line that counts what failed: `3 failed, 4 passed`, `Failures: 2`, `Found 12 errors`. */
const counting = [
  /(?:^|[\s:,;([])(\d{1,9}) (?:\w{1,20} )?(?:failed|failures?|failing|errors?|problems?)\b/i,
  /\b(?:failed|failures?|failing|errors?|problems?)(?: \w{1,20})?[:=] {0,4}(\d{1,9})\b/i,
];

const passing = [
  /(?:^|[\s:,;([])(\d{1,9}) (?:\w{1,20} )?(?:passed|passing|succeeded|ok)\b/i,
  /\b(?:passed|passing|succeeded|ok)[:=] {0,4}(\d{1,9})\b/i,
];

const mayCount = /fail|error|problem/i;

/** The last line that counts is the sum. */
export function countFailures(): FailureCounter {
  let counted: Reading | null = null;
  return {
    read: (line) => {
      if (line.length > 300 || !mayCount.test(line)) return;
      const failed = numberIn(line, counting);
      if (failed === null) return;
      const passed = numberIn(line, passing);
      counted = { findings: [], failed, ...(passed !== null && { ran: failed + passed }) };
    },
    end: () => (counted !== null && (counted.failed ?? 0) > 0 ? counted : null),
  };
}

function numberIn(line: string, forms: readonly RegExp[]): number | null {
  for (const form of forms) {
    const [, digits] = form.exec(line) ?? [];
    if (digits !== undefined) return Number(digits);
  }
  return null;
}
