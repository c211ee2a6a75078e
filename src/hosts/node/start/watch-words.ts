import { unheardNote } from "../../../adapters/user/note-file.ts";
import { pauseFile } from "../../../adapters/user/pause-file.ts";
import { type UnheardWord, unknownSpeaker } from "../../../model/speaker.ts";
import type { RunControl } from "../../../runtime/run-control.ts";

/** How often it is looked for what others have said. */
const lookMs = 250;

/** A watch for what other processes say. */
export interface WordWatch {
  /** Look at once. */
  look(): void;
  /** End it, with a last look at what was refused. */
  end(): void;
}

/**
 * Tell a run what other processes have to say to it: that it is to pause or to go on, and what was refused since a call
 * of its own has said it.
 *
 * @param keep Records a word that was refused; one for which it throws is told again later.
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
  // A folder that cannot be looked into, or written to, fails the run where that is done for itself.
  const look = (): void => {
    orElse(lookForPause, undefined);
    orElse(lookForRefusals, undefined);
  };
  // It also keeps a program alive whose run is paused, and waits for nothing else.
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
