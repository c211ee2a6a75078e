import type { Speaker } from "../../src/model/person-event.ts";

export const unknownSpeaker: Speaker = { kind: "program", terminal: null, process: null, pid: null };
