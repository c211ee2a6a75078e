/** The last part of a folder's path, whatever its separators. */
export const specName = (folder: string): string => folder.split(/[\\/]/).filter(Boolean).at(-1) ?? "";
