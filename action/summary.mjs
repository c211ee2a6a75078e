/** Exit codes of a start that began nothing: its status and report would be those of an earlier start. */
export const refusals = [2, 4, 70];
/** Maximum number of lines to quote from standard error. */
const most = 60;

/**
 * Render the summary of a job: the report of fixpoint and, after a failure, the end of its standard error.
 *
 * @param said Standard error of fixpoint.
 * @param report Output of `fixpoint export --format md`; undefined if there is none.
 */
export function summaryOf({ spec = "", exitCode, status, said, report }) {
  const title = `# ${codeOf(spec)}: not begun (exit code ${exitCode})\n`;
  const lines = exitCode === 0 || said === "" ? [] : saidBesides(said, status);
  const reason = lines.length === 0 ? "" : `\n## Why it stopped, and how to continue\n\n${fence(lines)}\n`;
  return `${report ?? title}${reason}`;
}

/** Choose the lines that are not yet part of the question in the report. */
function saidBesides(said, status) {
  const { text = "", hint } = status?.question ?? {};
  const known = new Set(`${text}\n${hint ?? ""}`.split("\n"));
  const lines = said
    .trim()
    .split("\n")
    .filter((line) => !known.has(line.replace(/^ERROR: /, "")));
  return lines.length > most ? ["…", ...lines.slice(-most)] : lines;
}

/** Put lines between fences that none of the lines can close. */
function fence(lines) {
  const marks = lines.join("\n").match(/`{3,}/g) ?? [];
  const edge = "`".repeat(Math.max(2, ...marks.map(({ length }) => length)) + 1);
  return [`${edge}text`, ...lines, edge].join("\n");
}

/** Render a text as code, with everything escaped that markdown would interpret. */
const codeOf = (text) => `<code>${text.replace(/[\s!-/:-@[-`{-~]/g, (mark) => `&#${mark.charCodeAt(0)};`)}</code>`;
