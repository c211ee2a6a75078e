import { parseJson } from "../../../model/parse-json.ts";
import { type DeniedAct, deniedAct, type Usage } from "../../../model/reply.ts";
import type { WorkProgress } from "../../../ports/executor.ts";

/** A JSON object that a tool printed. Do not trust its fields. */
export interface StreamEvent {
  readonly [field: string]: unknown;
}

/** Return null for a line that is not a JSON object. */
export function parseEvent(line: string): StreamEvent | null {
  const value = line.startsWith("{") ? parseJson(line) : null;
  return isEvent(value) ? value : null;
}

export const isEvent = (value: unknown): value is StreamEvent =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Return undefined if the path does not exist. */
export function valueAt(event: StreamEvent, ...path: readonly string[]): unknown {
  let value: unknown = event;
  for (const field of path) value = isEvent(value) && Object.hasOwn(value, field) ? value[field] : undefined;
  return value;
}

/** Return null for any value but a text. */
export function textAt(event: StreamEvent, ...path: readonly string[]): string | null {
  const value = valueAt(event, ...path);
  return typeof value === "string" ? value : null;
}

/** Return null for anything but a finite number of at least 0. */
export function amountAt(event: StreamEvent, ...path: readonly string[]): number | null {
  const value = valueAt(event, ...path);
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : null;
}

/** Return an empty object for any other value. */
export function eventAt(event: StreamEvent, ...path: readonly string[]): StreamEvent {
  const value = valueAt(event, ...path);
  return isEvent(value) ? value : {};
}

/** Return the objects in a list; an empty list for any other value. */
export function eventsAt(event: StreamEvent, ...path: readonly string[]): readonly StreamEvent[] {
  const value = valueAt(event, ...path);
  return Array.isArray(value) ? value.filter(isEvent) : [];
}

/** Maximum number of characters in memory: more than a reply holds. */
const heldCharacters = 4 * 1024 * 1024;

/** A message that arrives in pieces. Only the end of a very long message is kept. */
interface MessageText {
  add(piece: string): void;
  /** End the message: the next piece begins another message. */
  end(): void;
  read(): string | null;
}

export function openMessage(): MessageText {
  let text: string | null = null;
  let ended = false;
  return {
    add: (piece) => {
      if (piece === "") return;
      text = ended ? piece : (text ?? "") + piece;
      ended = false;
      if (text.length > 2 * heldCharacters) text = text.slice(-heldCharacters);
    },
    end: () => {
      ended = true;
    },
    read: () => text,
  };
}

/** Paths of fields in a report of usage. The values of several fields are added up. */
export interface UsageFields {
  readonly input: readonly (readonly string[])[];
  readonly output: readonly (readonly string[])[];
  readonly cost?: readonly string[];
}

/** Anthropic's API counts cached tokens outside of `input_tokens`. */
export const anthropicUsage: UsageFields = {
  input: [["input_tokens"], ["cache_creation_input_tokens"], ["cache_read_input_tokens"]],
  output: [["output_tokens"]],
};

/** Fields of tools that count cached tokens as input tokens. */
export const plainUsage: UsageFields = { input: [["input_tokens"]], output: [["output_tokens"]] };

/** Read the usage in an event; empty if there is none. Counts cached tokens as input. */
export function readUsage(event: StreamEvent, path: readonly string[], fields: UsageFields): Usage {
  const sum = (places: readonly (readonly string[])[]): number | null => {
    const told = places.map((place) => amountAt(event, ...path, ...place)).filter((amount) => amount !== null);
    return told.length === 0 ? null : countOf(told.reduce((total, amount) => total + amount, 0));
  };
  const inputTokens = sum(fields.input);
  const outputTokens = sum(fields.output);
  const costUsd = fields.cost === undefined ? null : amountAt(event, ...path, ...fields.cost);
  return {
    ...(inputTokens !== null && { inputTokens }),
    ...(outputTokens !== null && { outputTokens }),
    ...(costUsd !== null && { costUsd }),
  };
}

/** Return a whole number within the recordable range, whatever a tool reports. */
const countOf = (amount: number): number => Math.min(Math.round(amount), Number.MAX_SAFE_INTEGER);

/** Add two reports. Omits a field that both lack. */
export function addUsage(one: Usage, other: Usage): Usage {
  const sum: Usage = { ...one };
  for (const field of ["inputTokens", "outputTokens", "costUsd"] as const) {
    const amount = other[field];
    if (amount !== undefined) sum[field] = Math.min((sum[field] ?? 0) + amount, Number.MAX_SAFE_INTEGER);
  }
  return sum;
}

/** Add up all tokens of a report, for progress; an empty object if it has none. */
export const tokensOf = ({ inputTokens, outputTokens }: Usage): Pick<WorkProgress, "tokens"> =>
  inputTokens === undefined && outputTokens === undefined ? {} : { tokens: (inputTokens ?? 0) + (outputTokens ?? 0) };

/** Maximum number of remembered calls. A denial soon follows its call. */
const heldCalls = 1000;

interface ToolCalls {
  call(id: string, tool: string, input: StreamEvent): void;
  /** Note that the call with this id was denied. Ignores an unknown id. */
  deny(id: string): void;
  add(tool: string, act: string): void;
  /** Return the denied acts without duplicates, in order. */
  denials(): readonly DeniedAct[];
}

export function openToolCalls(): ToolCalls {
  const calls = new Map<string, DeniedAct>();
  const denied = new Map<string, DeniedAct>();
  const note = (act: DeniedAct): void => void denied.set(`${act.tool}\n${act.act}`, act);
  return {
    call: (id, tool, input) => {
      const [oldest] = calls.keys();
      if (calls.size >= heldCalls && oldest !== undefined) calls.delete(oldest);
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

/** Input fields that show what a call does. */
const subjects = ["command", "cmd", "file_path", "filePath", "absolute_path", "path", "url", "pattern", "query"];

/** Return the command or path of a call, else its whole input. */
export const actOf = (input: StreamEvent): string =>
  subjects.map((field) => textAt(input, field)).find((text) => text !== null) ?? JSON.stringify(input);

export const denialsIn = (calls: ToolCalls): { readonly denials?: readonly DeniedAct[] } => {
  const denials = calls.denials();
  return denials.length === 0 ? {} : { denials };
};

export function toolAct(tool: string | null, event: StreamEvent, ...input: readonly string[]): WorkProgress | null {
  if (tool === null) return null;
  const given = eventAt(event, ...input);
  const said = Object.keys(given).length === 0 ? "" : actOf(given);
  return { tool, line: said.split(/[\r\n]/).find((line) => line.trim() !== "") ?? "" };
}

/** Return null for a blank text. */
export const sayAct = (text: string | null): WorkProgress | null =>
  text === null || text.trim() === "" ? null : { line: text };
