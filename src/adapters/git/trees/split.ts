/** The entries of an output in which each ends with a zero byte. */
export const split = (output: string): string[] => output.split("\0").filter((entry) => entry !== "");

/** A path from the top of a working tree, a byte in each character, as a path from the workspace. */
export const below = ({ prefix }: { readonly prefix: string }, path: string): string => utf8(path).slice(prefix.length);

/** Bytes in characters, as text. */
export const utf8 = (bytes: string): string => Buffer.from(bytes, "latin1").toString();

/** A path from the top of a working tree, a byte in each character, as the file system takes it. */
export const placeOf = ({ top }: { readonly top: string }, path: string): Buffer =>
  Buffer.concat([Buffer.from(`${top}/`), Buffer.from(path, "latin1")]);
