import { eachLine, type MessageLine } from "./read-lines.ts";

export interface Review {
  /** `none`: the last line is no verdict. */
  readonly verdict: "pass" | "fail" | "none";
  /** Findings that a fix task can repair, one on each line. */
  readonly code: string;
  /** Findings that only a person can repair, one on each line. */
  readonly spec: string;
}

const verdicts: ReadonlyMap<string, Review["verdict"]> = new Map([
  ["REVIEW_PASS", "pass"],
  ["REVIEW_FAIL", "fail"],
]);
const finding = /^(?:[-*+•][ \t]+|\d{1,3}[.)][ \t]+)?[*_]{0,3}(CODE|SPEC)[*_]{0,3}:[*_]{0,3}(.*)$/is;
/** Maximum length of `code` and of `spec`, in UTF-16 code units. */
const longest = 2000;

/**
 * Parse the final message of a reviewer. The verdict is its last non-blank line, outside of fences and quotes. Findings
 * begin with `CODE:` or `SPEC:`, and end at the next finding or blank line. If a failed review has no finding, all text
 * before the verdict is one finding about the code.
 *
 * @param text The whole final message, untrusted.
 */
export function parseReview(text: string): Review {
  const reader = createReader();
  let kind: MessageLine["kind"] | null = null;
  eachLine(text, (line) => {
    kind = line.kind;
    if (kind === "spoken") reader.read(line.text.trim());
  });
  const verdict = verdictOf(text, kind);
  if (verdict === "none") reader.readHeld();
  const { code, spec, said } = reader.found();
  return verdict === "fail" && code + spec === "" ? { verdict, code: said, spec } : { verdict, code, spec };
}

/** @param last Kind of the last line; fence marks do not count as lines. */
function verdictOf(text: string, last: MessageLine["kind"] | null): Review["verdict"] {
  const written = text.trimEnd();
  const line = written.slice(Math.max(written.lastIndexOf("\n"), written.lastIndexOf("\r")) + 1).trim();
  return (last === "spoken" && verdicts.get(line)) || "none";
}

/** Reads spoken lines one by one. The last non-blank line is held back, since it may be the verdict. */
function createReader() {
  const [code, spec, said] = [createText(" ", "\n"), createText(" ", "\n"), createText("\n", "\n\n")];
  let open: ReturnType<typeof createText> | null = null;
  let held = "";
  let isBlankBehind = false;
  return { read, readHeld, found: () => ({ code: code.told(), spec: spec.told(), said: said.told() }) };

  function read(line: string): void {
    if (line === "") {
      isBlankBehind = true;
      return;
    }
    readHeld();
    if (isBlankBehind) {
      open = null;
      said.part();
    }
    isBlankBehind = false;
    held = line;
  }

  function readHeld(): void {
    const [, name, text = ""] = finding.exec(held) ?? [];
    if (name !== undefined) {
      open = name.toUpperCase() === "CODE" ? code : spec;
      open.part();
    }
    open?.add(name === undefined ? held : text.trim());
    said.add(held);
  }
}

/**
 * Build a text of at most `longest` units from parts with several lines.
 *
 * @param gap Separator of lines. @param between Separator of parts.
 */
function createText(gap: string, between: string) {
  let text = "";
  let isNew = false;
  return {
    part: () => {
      isNew = true;
    },
    add: (line: string) => {
      if (line === "" || text.length > longest) return;
      if (text !== "") text += isNew ? between : gap;
      text += line;
      isNew = false;
    },
    told: () => cut(text),
  };
}

const cut = (text: string): string => text.slice(0, longest).replace(/[\uD800-\uDBFF]$/, "");
