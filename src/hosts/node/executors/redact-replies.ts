import type { Executor } from "../../../ports/executor.ts";
import type { Shell } from "../../../ports/shell.ts";

type Redact = (text: string) => string;

/** An executor without secrets in its replies and progress. They are redacted before anybody else sees them. */
export const redactReplies =
  (execute: Executor, redact: Redact): Executor =>
  async (delegation, signal, progress) => {
    const reply = await execute(delegation, signal, (seen) => progress(redactTexts(seen, redact)));
    if (typeof reply === "string") return redact(reply);
    // Whoever has called it says so.
    if (typeof reply?.text !== "string") return reply;
    const { text, stderr, problem, denials, claim } = reply;
    return {
      ...reply,
      text: redact(text),
      ...(stderr !== undefined && { stderr: redact(stderr) }),
      ...(problem !== undefined && { problem: { ...problem, message: redact(problem.message) } }),
      ...(denials !== undefined && { denials: denials.map((each) => ({ ...each, act: redact(each.act) })) }),
      ...(claim !== undefined && { claim: redactTexts(claim, redact) }),
    };
  };

/** The same value, with every text in it redacted. */
function redactTexts<Value>(value: Value, redact: Redact): Value {
  if (typeof value === "string") return redact(value) as Value;
  if (Array.isArray(value)) return value.map((item) => redactTexts(item, redact)) as Value;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, redactTexts(item, redact)])) as Value;
}

/** A shell without secrets in the output that it returns. Output in files stays as it is. */
export const redactResults = ({ run, exists, readKept, secrets }: Shell, redact: Redact): Shell => ({
  exists,
  ...(secrets !== undefined && { secrets }),
  run: async (...given) => {
    const result = await run(...given);
    return { ...result, stdout: redact(result.stdout), stderr: redact(result.stderr) };
  },
  ...(readKept !== undefined && {
    readKept: async (name, see) => {
      const pieces = redactPieces(redact, see);
      const isKept = await readKept(name, pieces.write);
      pieces.end();
      return isKept;
    },
  }),
});

/** How many characters are held back at most, in case a secret goes on in the next piece. */
const mostHeld = 64 * 1024;
const blockStart = "-----BEGIN ";
const blockEnd = "-----END ";

/** Redact a text that comes in pieces. A line is passed on when it is whole, and so is a key of several lines. */
function redactPieces(redact: Redact, see: (piece: string) => void) {
  let held = "";
  return {
    write: (piece: string): void => {
      held += piece;
      const block = held.lastIndexOf(blockStart);
      const isOpen = block !== -1 && !held.includes(blockEnd, block);
      const whole = isOpen && held.length - block < mostHeld ? block : held.lastIndexOf("\n") + 1;
      const cut = held.length - whole > mostHeld ? held.length : whole;
      if (cut === 0) return;
      see(redact(held.slice(0, cut)));
      held = held.slice(cut);
    },
    end: (): void => {
      if (held !== "") see(redact(held));
      held = "";
    },
  };
}
