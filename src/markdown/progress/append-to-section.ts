import { InputError } from "../../model/errors.ts";
import { encodeText } from "../text/encode-text.ts";
import { plainLine } from "../text/plain-line.ts";
import { appendItem } from "./append-item.ts";
import { sectionTitle } from "./section-title.ts";

/** Where a section is made, and what tells a line that it has. */
export interface AppendOptions {
  /** First words of the headings before the first of which the section is made. Default: the end of the document. */
  readonly before?: readonly string[];
  /** What the line begins with: nothing is added where the section has a line that begins so. Default: none. */
  readonly key?: string;
}

const longestLine = 500;

/**
 * Add a line to the first `## ` section of that heading, which is made when it is missing; every other byte stays.
 *
 * @param heading
 *   Untrusted, as `line`: both become one line of plain text, in which code spans may stay.
 * @param line
 *   What stands behind the bullet, at most 500 characters. One without any leaves the text as it is.
 * @throws {InputError} `empty-heading`
 */
export function appendToSection(markdown: string, heading: string, line: string, options: AppendOptions = {}): string {
  const title = sectionTitle(heading);
  if (title === "") {
    throw new InputError("Cannot add a line to a section without a heading, expected its text", {
      code: "empty-heading",
      hint: "Name the section, as in `Learnings`.",
    });
  }
  const item = encodeText(plainLine(line, longestLine), "");
  if (item === "") return markdown;
  const { before = [], key } = options;
  return appendItem(markdown, {
    ...{ heading: title, before, line: item },
    key: key === undefined ? null : plainLine(key, longestLine),
  });
}
