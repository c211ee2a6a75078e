/** The first `max` code points of a text. */
export const clamp = (text: string, max: number): string =>
  text.length <= max ? text : [...text.slice(0, 2 * max)].slice(0, max).join("");
