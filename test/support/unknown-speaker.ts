import type { Speaker } from "../../src/model/person-event.ts";

/** A program of which nothing more is known. */
export const unknownSpeaker: Speaker = { kind: "program", terminal: null, process: null, pid: null };
