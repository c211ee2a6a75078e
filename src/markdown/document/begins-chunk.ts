const boundary = /#{1,6}(?:[ \t\r\n]|$)|[-*+][ \t]{1,4}\[/y;

/** Whether a line without indentation begins a chunk wherever nothing takes it in: a heading, or a box or bracket. */
export function beginsChunk(text: string, at: number): boolean {
  boundary.lastIndex = at;
  return boundary.test(text);
}
