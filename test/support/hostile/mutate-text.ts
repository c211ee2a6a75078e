import { hostileStrings } from "../hostile-strings.ts";
import type { Chance } from "./chance.ts";

const fragments = hostileStrings.map(({ text }) => text).filter((text) => text.length <= 400);
const marks = [
  ..."`~*_[]()<>#-+!|\\\n\r\t \"':;&0123456789.{}/=$%@^,?",
  "\r\n",
  "\0",
  "\u001b",
  "\u2028",
  "\ud800",
  "\u202e",
];
const longest = 6000;

export function mutateText(text: string, chance: Chance, most = 4): string {
  let mutated = text;
  for (let left = chance.below(most + 1); left > 0; left -= 1) mutated = mutateOnce(mutated, chance);
  return mutated.slice(0, longest);
}

function mutateOnce(text: string, chance: Chance): string {
  const at = chance.below(text.length + 1);
  const to = Math.min(text.length, at + 1 + chance.below(chance.below(4) === 0 ? 200 : 8));
  const [before, part, behind] = [text.slice(0, at), text.slice(at, to), text.slice(to)];
  switch (chance.below(9)) {
    case 0:
      return before + behind;
    case 1:
      return before + part.repeat(2 + chance.below(30)) + behind;
    case 2:
      return before + chance.pick(marks).repeat(1 + chance.below(3)) + part + behind;
    case 3:
      return before + chance.pick(fragments) + part + behind;
    case 4:
      return before + chance.pick(fragments) + behind;
    case 5:
      return before + String.fromCharCode(chance.below(0x10000)) + behind;
    case 6:
      return before;
    case 7:
      return before + withFlippedBit(part, chance) + behind;
    default:
      return behind + before + part;
  }
}

function withFlippedBit(text: string, chance: Chance): string {
  const bytes = Buffer.from(text);
  if (bytes.length === 0) return text;
  const at = chance.below(bytes.length);
  bytes[at] = (bytes[at] ?? 0) ^ (1 << chance.below(8));
  return bytes.toString();
}
