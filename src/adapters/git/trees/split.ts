/** The entries of an output in which each ends with a zero byte. */
export const split = (output: string): string[] => output.split("\0").filter((entry) => entry !== "");
