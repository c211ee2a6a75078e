import { unheardNote } from "../../../adapters/user/unheard-note.ts";
import type { WordBox } from "../../../adapters/user/word-box.ts";
import { isForNow } from "../../../model/left-word.ts";
import { type TimedRunRecord, wordOf } from "../../../model/record.ts";
import type { Speaker, UnheardWord } from "../../../model/speaker.ts";
import type { RunControl } from "../../../runtime/run-control.ts";

/** How often messages are looked for. */
const lookMs = 250;

/**
 * Pass on to a run what other processes say to it, and messages that were refused because they came out of its own
 * calls. A word is taken out when it is recorded.
 *
 * @param keep Records a refused message. When it throws, the message is passed again later.
 * @returns Ends the watch, with a last look at refused messages.
 */
export function watchWords(
  { box, dataFolder }: { readonly box: WordBox; readonly dataFolder: string },
  control: RunControl,
  keep: (word: UnheardWord) => void,
): () => void {
  const unheard = unheardNote(dataFolder);
  const unkept: UnheardWord[] = [];
  const passed = new Set<string>();
  const lookForWords = (): void => {
    for (const { id, event, to, by } of box.read()) {
      if (event.type === "stop" || passed.has(id)) continue;
      passed.add(id);
      const onHeard = (): void => orElse(() => box.remove(id), undefined);
      control.send(event, { ...by, word: id }, { to, onHeard });
    }
  };
  const lookForRefusals = (): void => {
    if (unheard.isThere()) {
      const word = unheard.read();
      if (unheard.remove() && word !== null) unkept.push(word);
    }
    for (const next of [...unkept]) {
      keep(next);
      unkept.shift();
    }
  };
  // A folder that cannot be read or written fails the run elsewhere, where that matters.
  const look = (): void => {
    orElse(lookForWords, undefined);
    orElse(lookForRefusals, undefined);
  };
  look();
  // The timer also keeps a program alive whose run is paused.
  const timer = setInterval(look, lookMs);
  return () => {
    clearInterval(timer);
    orElse(lookForRefusals, undefined);
  };
}

/**
 * Take out what a start is not to hear: words for another run, what was said to the start before alone, and words that
 * were recorded by a start that was killed before it could take them out. Only the holder of the spec may do so.
 *
 * @throws {EnvironmentError} `file-refused`
 */
export function dropOldWords(box: WordBox, run: number, records: readonly TimedRunRecord[]): void {
  for (const word of box.read()) {
    const isHeard = records.some((record) => wordOf(record) === word.id);
    if (word.run !== run || isForNow(word) || isHeard) box.remove(word.id);
  }
}

/** Who has stopped the run from outside, which is forgotten; null when it was told otherwise. */
export function takeStop(box: WordBox): Speaker | null {
  const stops = box.read().filter(({ event }) => event.type === "stop");
  for (const { id } of stops) box.remove(id);
  return stops[0]?.by ?? null;
}

function orElse<Result>(look: () => Result, otherwise: Result): Result {
  try {
    return look();
  } catch {
    return otherwise;
  }
}
