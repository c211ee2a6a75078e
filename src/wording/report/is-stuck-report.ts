/** The title of a report. */
export const reportTitle = "# Fixpoint - Stuck Report";

/** Characters in which the title of a report stands. */
const looked = 200;

/** Whether a text is the report of a checkpoint, of this system or of the one it comes from. */
export const isStuckReport = (text: string): boolean =>
  text
    .slice(0, looked)
    .split("\n")
    .some((line) => line.startsWith("# ") && line.trimEnd().endsWith("Stuck Report"));
