/** Split output with entries that each end with a zero byte. */
export const split = (output: string): string[] => output.split("\0").filter((entry) => entry !== "");

/** Convert a path from the top of a working tree (one character per byte) to one from the workspace. */
export const below = ({ prefix }: { readonly prefix: string }, path: string): string => utf8(path).slice(prefix.length);

/** Decode a text with one character per byte. */
export const utf8 = (bytes: string): string => Buffer.from(bytes, "latin1").toString();

/** Convert a path from the top of a working tree (one character per byte) for the file system. */
export const placeOf = ({ top }: { readonly top: string }, path: string): Buffer =>
  Buffer.concat([Buffer.from(`${top}/`), Buffer.from(path, "latin1")]);
