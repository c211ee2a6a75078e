import { encodeText } from "../text/encode-text.ts";
import { plainLine } from "../text/plain-line.ts";

const longest = 100;
const closingHashes = /(?<=^|[ \t])#(?=#*$)/;

/** A text as the title of a section, empty when nothing of it can be read. @param heading Untrusted. */
export const sectionTitle = (heading: string): string =>
  encodeText(plainLine(heading, longest), "x ").replace(closingHashes, "\\#");
