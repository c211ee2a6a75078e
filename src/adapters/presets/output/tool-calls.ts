import { type DeniedAct, deniedAct } from "../../../model/permissions.ts";
import type { WorkProgress } from "../../../ports/executor.ts";
import { eventAt, type StreamEvent, textAt } from "./stream-event.ts";

/** How many calls are held at most. A denial follows its call soon. */
const held = 1000;

/** What an agent asked its tools for, and what they denied. */
export interface ToolCalls {
  /** Note that a tool is called. @param input What the tool should do. */
  call(id: string, tool: string, input: StreamEvent): void;
  /** Note that the call with this id was denied. An unknown id is ignored. */
  deny(id: string): void;
  /** Note that an act was denied. */
  add(tool: string, act: string): void;
  /** Each act once, in order. */
  denials(): readonly DeniedAct[];
}

export function openToolCalls(): ToolCalls {
  const calls = new Map<string, DeniedAct>();
  const denied = new Map<string, DeniedAct>();
  const note = (act: DeniedAct): void => void denied.set(`${act.tool}\n${act.act}`, act);
  return {
    call: (id, tool, input) => {
      const [oldest] = calls.keys();
      if (calls.size >= held && oldest !== undefined) calls.delete(oldest);
      calls.set(id, deniedAct(tool, actOf(input)));
    },
    deny: (id) => {
      const act = calls.get(id);
      if (act !== undefined) note(act);
    },
    add: (tool, act) => note(deniedAct(tool, act)),
    denials: () => [...denied.values()],
  };
}

/** Fields of a tool's input that say what the call is about. */
const subjects = ["command", "cmd", "file_path", "filePath", "absolute_path", "path", "url", "pattern", "query"];

/** What a call is about: its command or its path, else all of it. */
export const actOf = (input: StreamEvent): string =>
  subjects.map((field) => textAt(input, field)).find((text) => text !== null) ?? JSON.stringify(input);

/** The part of a stream's reading about denials: nothing when there are none. */
export const denialsIn = (calls: ToolCalls): { readonly denials?: readonly DeniedAct[] } => {
  const denials = calls.denials();
  return denials.length === 0 ? {} : { denials };
};

/** Progress for a tool call: its name, and the first line of what it is about. */
export function toolAct(tool: string | null, event: StreamEvent, ...input: readonly string[]): WorkProgress | null {
  if (tool === null) return null;
  const given = eventAt(event, ...input);
  const said = Object.keys(given).length === 0 ? "" : actOf(given);
  return { tool, line: said.split(/[\r\n]/).find((line) => line.trim() !== "") ?? "" };
}

/** Progress for a message; null for a blank text. */
export const sayAct = (text: string | null): WorkProgress | null =>
  text === null || text.trim() === "" ? null : { line: text };
