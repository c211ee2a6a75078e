/** Exit codes of a start that began nothing: what is known of the spec is about an earlier one. */
export const refusals = [2, 4, 70];
/** Lines of what was said. */
const most = 60;

/**
 * What is told of a run in the summary of a job: the report of fixpoint, and what it has said at its end besides.
 *
 * @param said What it has printed on standard error.
 * @param report The summary of `fixpoint export`, not given where there is none.
 */
export function summaryOf({ spec = "", exitCode, status, said, report }) {
  const title = `# ${codeOf(spec)}: not begun (exit code ${exitCode})\n`;
  const lines = exitCode === 0 || said === "" ? [] : saidBesides(said, status);
  const reason = lines.length === 0 ? "" : `\n## Why it stopped, and how it goes on\n\n${fence(lines)}\n`;
  return `${report ?? title}${reason}`;
}

/** Lines that do not stand in the question of the report already. */
function saidBesides(said, status) {
  const { text = "", hint } = status?.question ?? {};
  const known = new Set(`${text}\n${hint ?? ""}`.split("\n"));
  const lines = said
    .trim()
    .split("\n")
    .filter((line) => !known.has(line.replace(/^ERROR: /, "")));
  return lines.length > most ? ["…", ...lines.slice(-most)] : lines;
}

/** Lines between fences that none of them can close. */
function fence(lines) {
  const marks = lines.join("\n").match(/`{3,}/g) ?? [];
  const edge = "`".repeat(Math.max(2, ...marks.map(({ length }) => length)) + 1);
  return [`${edge}text`, ...lines, edge].join("\n");
}

/** Text as code of which nothing is read as markdown. */
const codeOf = (text) => `<code>${text.replace(/[\s!-/:-@[-`{-~]/g, (mark) => `&#${mark.charCodeAt(0)};`)}</code>`;
