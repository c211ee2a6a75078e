import type { WorkProgress } from "../../ports/executor.ts";
import { eventAt, type StreamEvent } from "./stream-event.ts";
import { actOf } from "./tool-calls.ts";

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
