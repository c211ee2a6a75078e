import { lstatSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { checkDataFolder, makeDataFolder } from "./data-folder.ts";
import { refused } from "./refused.ts";

/** Whether a run begins no further delegation, as anybody may ask it to from outside. */
export interface PauseFile {
  isPaused(): boolean;
  pause(): void;
  /** Answers whether it was paused. */
  resume(): boolean;
}

/**
 * The wish for a pause as the file `pause` in a spec's folder of run data. What it holds does not matter.
 *
 * @throws {EnvironmentError} `file-refused`, from each of its methods
 */
export function pauseFile(dataFolder: string): PauseFile {
  const path = join(dataFolder, "pause");
  return {
    isPaused: () => refused("look at", path, () => lstatSync(path, { throwIfNoEntry: false }) !== undefined),
    pause() {
      makeDataFolder(dataFolder);
      refused("write", path, () => unless("EEXIST", () => writeFileSync(path, "", { flag: "wx" })));
    },
    resume() {
      checkDataFolder(dataFolder);
      return refused("remove", path, () => unless("ENOENT", () => unlinkSync(path)));
    },
  };
}

/** Whether it was done, and not needless for this reason. */
function unless(code: string, operate: () => void): boolean {
  try {
    operate();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== code) throw error;
    return false;
  }
}
