import type { Speaker } from "../../src/model/person-event.ts";

/** A speaker that is a program about which nothing else is known. */
export const unknownSpeaker: Speaker = { kind: "program", terminal: null, process: null, pid: null };
