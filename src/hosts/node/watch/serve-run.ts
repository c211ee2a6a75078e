import type { SpecFolder } from "../find-spec.ts";
import { type RunRoomOptions, runRoom } from "./run-room.ts";
import { type ServedPage, servePage } from "./serve-page.ts";

/**
 * Serve the page of one run, whether it is at work or not.
 *
 * @throws {EnvironmentError} `file-refused`, `user-folder-unusable`
 */
export const serveRun = (spec: SpecFolder, options: RunRoomOptions): Promise<ServedPage> =>
  servePage(spec.folder, runRoom(spec, options));
