/** What differs between two sights of one message of a compiler, from the more specific to the less. */
const varying: readonly (readonly [RegExp, string])[] = [
  [/\b0x[\da-f]{1,16}\b/gi, "0x"],
  [/\/tmp\/[\w.-]{1,100}/g, "/tmp"],
  [/(\.[a-z]\w{0,9}):\d{1,9}(?::\d{1,9})?(?:: \d{1,9}:\d{1,9})?/gi, "$1"],
  [/\b(lines?|columns?) \d{1,9}/gi, "$1"],
];

/** Characters of a message that go into an id. */
const looked = 1000;

/** A message without what a change somewhere else in a file alters: places, addresses and names of temporary files. */
export const steadyText = (message: string): string =>
  varying.reduce((text, [sign, name]) => text.replace(sign, name), message.slice(0, looked)).trim();
