import { encodeText } from "../text/encode-text.ts";
import { plainLine } from "../text/plain-line.ts";
import { appendItem } from "./append-item.ts";

/** What has become of a pull request. */
export interface Shipped {
  /** Null before there is one. */
  readonly number: number | null;
  /** Untrusted. */
  readonly text: string;
}

export const shippedSection = { heading: "Pull Request", before: ["Learnings"] } as const;

const longest = 500;

/** What its lines begin with, without their bullet. */
export const shippedStart = (number: number | null): string => (number === null ? "PR: " : `PR ${number}: `);

/**
 * Add the line to `## Pull Request`, which is made before the first `## Learnings` when it is missing. One that stands
 * there is not added again.
 */
export function appendShipped(progress: string, { number, text }: Shipped): string {
  const start = shippedStart(number);
  const said = plainLine(text, longest);
  return appendItem(progress, {
    ...shippedSection,
    key: `${start}${said}`,
    line: `${start}${encodeText(said, start)}`,
  });
}
