import { unheardNote } from "../../../adapters/user/note-file.ts";
import { pauseFile } from "../../../adapters/user/pause-file.ts";
import { type UnheardWord, unknownSpeaker } from "../../../model/speaker.ts";
import type { RunControl } from "../../../runtime/run-control.ts";

/** How often messages are looked for. */
const lookMs = 250;

/** A watch for messages of other processes. */
export interface WordWatch {
  /** Look at once. */
  look(): void;
  /** End the watch, with a last look at refused messages. */
  end(): void;
}

/**
 * Pass messages of other processes on to a run: to pause or to go on, and messages that were refused because they came
 * out of the run's own calls.
 *
 * @param keep Records a refused message. When it throws, the message is passed again later.
 */
export function watchWords(dataFolder: string, control: RunControl, keep: (word: UnheardWord) => void): WordWatch {
  const pause = pauseFile(dataFolder);
  const unheard = unheardNote(dataFolder);
  const unkept: UnheardWord[] = [];
  let was = false;
  const lookForPause = (): void => {
    const is = orElse(pause.isPaused, false);
    if (is === was) return;
    was = is;
    control.send({ type: is ? "pause" : "resume" }, orElse(is ? pause.pausedBy : pause.resumedBy, unknownSpeaker));
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
    orElse(lookForPause, undefined);
    orElse(lookForRefusals, undefined);
  };
  // The timer also keeps a program alive whose run is paused.
  const timer = setInterval(look, lookMs);
  return {
    look,
    end: () => {
      clearInterval(timer);
      orElse(lookForRefusals, undefined);
    },
  };
}

function orElse<Result>(look: () => Result, otherwise: Result): Result {
  try {
    return look();
  } catch {
    return otherwise;
  }
}
