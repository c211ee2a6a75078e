import { Speaker, unknownSpeaker } from "../../model/speaker.ts";
import { makeDataFolder } from "../files/data-folder.ts";
import { noteFile } from "./note-file.ts";

/** Whether a run begins no further delegation, as a person may ask it to from outside, and who has said so. */
export interface PauseFile {
  isPaused(): boolean;
  pause(by?: Speaker): void;
  /** Answers whether it was paused. */
  resume(by?: Speaker): boolean;
  /** Who has paused it; nobody known when the file does not say. */
  pausedBy(): Speaker;
  /** Who has let it go on last. */
  resumedBy(): Speaker;
}

/**
 * The wish for a pause as the file `pause` in a spec's folder of run data, with who has it. Whoever removes it leaves
 * their name in the file `resume`.
 *
 * @throws {EnvironmentError} `file-refused`, from each of its methods
 */
export function pauseFile(dataFolder: string): PauseFile {
  const pause = noteFile(dataFolder, "pause", Speaker);
  const resume = noteFile(dataFolder, "resume", Speaker);
  return {
    isPaused: pause.isThere,
    pause(by = unknownSpeaker) {
      makeDataFolder(dataFolder);
      if (pause.isThere()) return;
      resume.remove();
      pause.leave(by);
    },
    resume(by) {
      if (!pause.isThere()) {
        resume.remove();
        return false;
      }
      // First, for the run goes on once the other is gone.
      if (by === undefined) resume.remove();
      else resume.leave(by);
      return pause.remove();
    },
    pausedBy: () => pause.read() ?? unknownSpeaker,
    resumedBy: () => resume.read() ?? unknownSpeaker,
  };
}
