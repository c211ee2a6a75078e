import { crc32 } from "node:zlib";

const seal = ',"crc":';
const [zero, nine, brace] = [0x30, 0x39, 0x7d];

/** One line of a segment, sealed so that a torn or altered one is noticed. */
export function sealLine(value: object): string {
  const body = JSON.stringify(value).slice(0, -1);
  return `${body}${seal}${crc32(body)}}\n`;
}

/**
 * The body of a sealed line: an object without its closing brace. Undefined when the line is torn or altered.
 *
 * @param line Without its line ending.
 */
export function openLine(line: Buffer): Buffer | undefined {
  let at = line.length - 2;
  for (let digit = line[at] ?? 0; digit >= zero && digit <= nine; digit = line[at] ?? 0) at -= 1;
  const cut = at + 1 - seal.length;
  if (line.at(-1) !== brace || line.toString("latin1", cut, at + 1) !== seal) return undefined;
  const body = line.subarray(0, cut);
  return Number(line.toString("latin1", at + 1, line.length - 1)) === crc32(body) ? body : undefined;
}

/** The value of the body of a line. */
export const parseBody = (body: string): Record<string, unknown> => JSON.parse(`${body}}`) as Record<string, unknown>;
