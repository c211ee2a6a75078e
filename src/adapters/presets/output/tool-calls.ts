import { type DeniedAct, deniedAct } from "../../../model/permissions.ts";
import type { WorkProgress } from "../../../ports/executor.ts";
import { eventAt, type StreamEvent, textAt } from "./stream-event.ts";

/** Calls of tools that are held at most: a denial follows its call. */
const held = 1000;

/** What an agent asked its tools for, and what of that they did not do. */
export interface ToolCalls {
  /** A tool is called. @param input What it is to do. */
  call(id: string, tool: string, input: StreamEvent): void;
  /** The call of that id was not allowed; one that is not known is passed over. */
  deny(id: string): void;
  /** An act was not allowed. */
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

/** Where the input of a tool says what it is about. */
const subjects = ["command", "cmd", "file_path", "filePath", "absolute_path", "path", "url", "pattern", "query"];

/** What a call is about: its command or its path, else all of it. */
export const actOf = (input: StreamEvent): string =>
  subjects.map((field) => textAt(input, field)).find((text) => text !== null) ?? JSON.stringify(input);

/** What of the reading of a stream tells of denials: nothing where there are none. */
export const denialsIn = (calls: ToolCalls): { readonly denials?: readonly DeniedAct[] } => {
  const denials = calls.denials();
  return denials.length === 0 ? {} : { denials };
};

/** That a tool is called: its name, and the first line of what the call is about. */
export function toolAct(tool: string | null, event: StreamEvent, ...input: readonly string[]): WorkProgress | null {
  if (tool === null) return null;
  const given = eventAt(event, ...input);
  const said = Object.keys(given).length === 0 ? "" : actOf(given);
  return { tool, line: said.split(/[\r\n]/).find((line) => line.trim() !== "") ?? "" };
}

/** That something is said; null for a text without any word. */
export const sayAct = (text: string | null): WorkProgress | null =>
  text === null || text.trim() === "" ? null : { line: text };
