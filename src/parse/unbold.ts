const boldLabel = /^\*\*([^*:]{1,40})(?::\*\*|\*\*:)/;
const boldLine = /^\*\*([^*:]{1,40}:.*)\*\*$/s;

/** A trimmed line such as `**Label:** text`, `**Label**: text` or `**Label: text**` as `Label: text`; others as they are. */
export const unbold = (line: string): string => line.replace(boldLabel, "$1:").replace(boldLine, "$1");
