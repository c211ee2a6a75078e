/** What an error is about, as the commit message of its fix task names it. */
export type ErrorType =
  | "syntax"
  | "type"
  | "missing file"
  | "missing dependency"
  | "test"
  | "lint"
  | "timeout"
  | "permission"
  | "network"
  | "error";

/** Characters of an error that are looked at. */
const looked = 2000;

/** One expression and another behind it on the same line: in one expression they would take quadratic time. */
type Pair = readonly [first: RegExp, then: RegExp];

/** The first row that fits counts, so what may be mistaken for another stands above it. */
const signs: readonly (readonly [type: ErrorType, sign: RegExp, pair?: Pair])[] = [
  [
    "permission",
    /\b(?:EACCES|EPERM|EROFS)\b|permission denied|operation not permitted|access denied|unauthorized|forbidden/i,
  ],
  ["timeout", /\bE?TIMED?[ -]?OUT\b|\bdeadline exceeded/i],
  [
    "network",
    /\b(?:ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|EPIPE)\b|\bnetwork (?:error|is unreachable|unreachable|request failed)|connection (?:refused|reset|closed)|socket hang up|fetch failed|could not resolve host/i,
  ],
  [
    "missing file",
    /cannot find module ['"`]?\.{0,2}\/|module not found:.{0,40}['"`]\.{1,2}\/|could not resolve ['"`]\.{1,2}\//i,
  ],
  [
    "missing dependency",
    /cannot find (?:module|package)|module not found|no module named|ModuleNotFoundError|ERR_MODULE_NOT_FOUND|unresolved import|missing (?:dependency|package|module)|command not found|: not found$|could not resolve dependency/i,
    [/package /i, /. is not (?:in|installed)/i],
  ],
  [
    "missing file",
    /\bENOENT\b|no such file|(?:file|path|directory|folder) (?:was )?(?:not found|does not exist|is missing|missing)|(?:missing|cannot find|could not find|cannot open) (?:the )?(?:file|path|directory|folder)/i,
  ],
  [
    "syntax",
    /syntax ?error|unexpected (?:token|end of|identifier|eof|indent)|parse error|parsing error|unterminated|\bTS1\d{3}\b/i,
  ],
  ["lint", /\b(?:es|ox|style)?lint(?:er|ing)?\b|\beslint\b|\bbiome\b|\bprettier\b|\bruff\b|\bclippy\b|\bflake8\b/i],
  [
    "type",
    /type ?error|\bTS\d{4}\b|not assignable|type ?check|mismatched types|does not exist on type|implicitly has an? ['"`]any/i,
    [/\btypes?\b/i, /.(?:mismatch|incompatible)/i],
  ],
  [
    "test",
    /\btests?\b|\bspecs? failed|assertion|\bassert\b|\bjest\b|\bvitest\b|\bpytest\b/i,
    [/\bexpected\b/i, /.\b(?:received|got|but|to)\b/i],
  ],
];

/** Tell from the words of an error what it is about; `error` when they do not say. */
export function classifyError(error: string): ErrorType {
  const text = error.slice(0, looked);
  return (
    signs.find(([, sign, pair]) => sign.test(text) || (pair !== undefined && holdsPair(text, pair)))?.[0] ?? "error"
  );
}

function holdsPair(text: string, [first, then]: Pair): boolean {
  return text.split(/[\r\n]/).some((line) => {
    const found = first.exec(line);
    return found !== null && then.test(line.slice(found.index + found[0].length));
  });
}
