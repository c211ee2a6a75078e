import type { Speaker } from "../../src/model/person-event.ts";

/** Speaker that is a program with no known facts. */
export const unknownSpeaker: Speaker = { kind: "program", terminal: null, process: null, pid: null };
