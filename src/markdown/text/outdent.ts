/** A line without the blanks it begins with, of which at most `width` are taken. Tabs stay. */
export const outdent = (line: string, width: number): string => line.slice(Math.min(line.search(/[^ ]|$/), width));
