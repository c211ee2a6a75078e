/** A sequence for a terminal, whole: what is left of one that is cut in two reads as words. Takes linear time. */
export const escapeSequence =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  /[\u001B\u009B](?:\][^\u0007\u001B\u009B]*(?:\u0007|\u001B\\|$)|[PX^_][^\u001B\u009B]*(?:\u001B\\|$)|\[?[0-9;:?<=>]*[ -/]*[@-~])/g;
