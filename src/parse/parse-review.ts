import { eachLine, type MessageLine } from "./read-lines.ts";

/** What a reviewer answers. */
export interface Review {
  /** `none`: the last line is no verdict. */
  readonly verdict: "pass" | "fail" | "none";
  /** Findings a fix task can see to, one a line; empty without any. */
  readonly code: string;
  /** Findings only a person can see to. */
  readonly spec: string;
}

const verdicts: ReadonlyMap<string, Review["verdict"]> = new Map([
  ["REVIEW_PASS", "pass"],
  ["REVIEW_FAIL", "fail"],
]);
const finding = /^(?:[-*+•][ \t]+|\d{1,3}[.)][ \t]+)?[*_]{0,3}(CODE|SPEC)[*_]{0,3}:[*_]{0,3}(.*)$/is;
/** UTF-16 code units of all findings of a kind. */
const longest = 2000;

/**
 * What a reviewer's final message says. The verdict is its last line that is not blank, which has to be spoken: not in
 * a fence or a quote. Findings begin with `CODE:` or `SPEC:` and go on to the next one or a blank line; when a review
 * fails without any, all that is said before the verdict is one about the code.
 *
 * @param text
 *   The whole final message, untrusted.
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

/** @param last Kind of the last line, marks of fences left out. A blank one behind a verdict is of its kind. */
function verdictOf(text: string, last: MessageLine["kind"] | null): Review["verdict"] {
  const written = text.trimEnd();
  const line = written.slice(Math.max(written.lastIndexOf("\n"), written.lastIndexOf("\r")) + 1).trim();
  return (last === "spoken" && verdicts.get(line)) || "none";
}

/** Reads what is spoken, line by line. The last one that is not blank is held back: it may be the verdict. */
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

/** A text of parts. No more is kept than is told. @param gap Between lines. @param between Between parts. */
function createText(gap: string, between: string) {
  let text = "";
  let isNew = false;
  return {
    /** What is added next begins a part. */
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
