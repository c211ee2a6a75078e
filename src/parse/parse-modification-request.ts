import { interpreted, parseJson } from "../model/parse-json.ts";
import { ModificationRequest } from "../model/reply.ts";
import { eachLine, type MessageLine } from "./read-lines.ts";

/** Requested plan change in a message, or the `reason` why it cannot be parsed. */
export type ParsedRequest =
  | { readonly kind: "none" }
  | { readonly kind: "malformed"; readonly reason: string }
  | { readonly kind: "request"; readonly request: ModificationRequest };

const marker = "TASK_MODIFICATION_REQUEST";
/** Maximum length of the JSON, in characters. */
const longestJson = 256 * 1024;

/**
 * Parse a requested plan change: a line `TASK_MODIFICATION_REQUEST` outside of fences and quotes, followed by the JSON
 * of a `ModificationRequest`. The JSON is in a fence, or on lines that begin with `{`. Unknown keys are ignored.
 *
 * @param text The whole final message, untrusted. @see docs/protocol.md
 */
export function parseModificationRequest(text: string): ParsedRequest {
  if (!text.includes(marker)) return { kind: "none" };
  let markers = 0;
  const json = createJsonReader();
  eachLine(text, (line) => {
    if (line.kind === "spoken" && line.text.trim() === marker) markers += 1;
    else if (markers > 0) json.read(line);
  });
  if (markers === 0) return { kind: "none" };
  return markers === 1 ? readRequest(json.source()) : malformed("the message contains more than one request");
}

const malformed = (reason: string): ParsedRequest => ({ kind: "malformed", reason });

function readRequest(source: string): ParsedRequest {
  if (source.trim() === "") return malformed("no JSON follows the request");
  if (source.length > longestJson) return malformed(`the JSON of the request has more than ${longestJson} characters`);
  const value = parseJson(source);
  if (value === undefined)
    return malformed("the JSON of the request cannot be parsed, or has a line longer than 16 KiB");
  const parsed = ModificationRequest.safeParse(value, interpreted);
  if (parsed.success) return { kind: "request", request: parsed.data };
  const [first] = parsed.error.issues.map(({ path, message }) => [...path.map(String), message].join(": "));
  return malformed(`the JSON of the request is invalid: ${first}`);
}

function createJsonReader() {
  const lines: string[] = [];
  let length = 0;
  let from: MessageLine["kind"] | null = null;
  let isWhole = false;
  let open = 0;
  /** Count the braces of the next line; true if all braces are closed after it. */
  const areClosedBy = (line: string): boolean => {
    for (const [found] of line.matchAll(stringOrBrace)) {
      if (found === "{") open += 1;
      else if (found === "}") open -= 1;
    }
    return open <= 0;
  };
  return {
    read: ({ kind, text }: MessageLine): void => {
      if (isWhole) return;
      if (from === null && (kind === "fenced" || (kind === "spoken" && text.trimStart().startsWith("{")))) from = kind;
      if (from === null) return;
      if (kind === from) {
        lines.push(text);
        length += text.length;
      }
      // JSON above the maximum length is rejected, so there is no need to read on.
      isWhole = kind !== from || length > longestJson || (from === "spoken" && areClosedBy(text));
    },
    source: (): string => lines.join("\n"),
  };
}

/** A brace, or a JSON string, closed or unclosed. */
const stringOrBrace = /"(?:[^"\\]|\\.)*"?|[{}]/g;
