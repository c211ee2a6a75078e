import type { Executor } from "../../../ports/executor.ts";
import type { Shell } from "../../../ports/shell.ts";

type Redact = (text: string) => string;

/** Wrap an executor so that secrets are redacted from its replies and progress, before anyone sees them. */
export const redactReplies =
  (execute: Executor, redact: Redact): Executor =>
  async (delegation, signal, progress) => {
    const reply = await execute(delegation, signal, (seen) => progress(redactTexts(seen, redact)));
    if (typeof reply === "string") return redact(reply);
    // Pass a malformed reply on: the caller reports it.
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

function redactTexts<Value>(value: Value, redact: Redact): Value {
  if (typeof value === "string") return redact(value) as Value;
  if (Array.isArray(value)) return value.map((item) => redactTexts(item, redact)) as Value;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, redactTexts(item, redact)])) as Value;
}

/** Wrap a shell so that secrets are redacted from the output it returns. Output in files stays unchanged. */
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

/** Maximum number of characters held back, in case a secret continues in the next piece. */
const mostHeld = 64 * 1024;
const blockStart = "-----BEGIN ";
const blockEnd = "-----END ";

/** Redact a text that arrives in pieces. A piece is passed on after a whole line, or after a whole key block. */
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
