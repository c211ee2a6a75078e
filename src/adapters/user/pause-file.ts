import { Speaker, unknownSpeaker } from "../../model/speaker.ts";
import { makeDataFolder } from "../files/data-folder.ts";
import { noteFile } from "./note-file.ts";

/** Whether somebody has asked from outside that a run delegates nothing more, and who. */
export interface PauseFile {
  isPaused(): boolean;
  pause(by?: Speaker): void;
  /** Answers whether it was paused. */
  resume(by?: Speaker): boolean;
  /** Who has paused it; the unknown speaker when the file does not say. */
  pausedBy(): Speaker;
  /** Who has resumed it last. */
  resumedBy(): Speaker;
}

/**
 * The request for a pause as the file `pause` in a spec's folder of run data, with who made it. Whoever removes it
 * leaves their name in the file `resume`.
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
      // Written first, because the run goes on as soon as the other file is gone.
      if (by === undefined) resume.remove();
      else resume.leave(by);
      return pause.remove();
    },
    pausedBy: () => pause.read() ?? unknownSpeaker,
    resumedBy: () => resume.read() ?? unknownSpeaker,
  };
}
