// What JSON leaves as it is but a terminal may obey or hide.
const bare = /(?!\ufe0e|\ufe0f)[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}\p{DI}]/gu;

/** A value as one line of JSON that is also safe to look at on a terminal. */
export const renderJson = (value: unknown): string => JSON.stringify(value).replace(bare, escapeUnits);

const escapeUnits = (character: string): string =>
  character
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");
