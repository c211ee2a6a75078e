import type { TimedRunRecord } from "../model/record.ts";
import { Usage } from "../model/reply.ts";
import { parseBody } from "./journal-line.ts";

/** Bytes in which an answer stands, most often; one that is longer is read whole. */
const headBytes = 400;
const reply = ',"reply":{';
const text = '"text":';
const judged = /,"(?:verify|judgement)":\{/;
const usage = ',"usage":{';
const Used = Usage.optional();

/** A record and its number in the run. */
export interface NumberedRecord {
  readonly number: number;
  readonly record: TimedRunRecord;
}

/**
 * An answer without what only the turn that it belongs to asks for: the text of a reply, and how a claim was judged.
 * What was used stays. Quotes within a text are escaped, so that what is looked for is a key wherever it stands.
 *
 * @param body Of a sealed line, as the journal writes it.
 * @returns Undefined for what has to be read whole.
 */
export function abridgeRecord(body: Buffer): NumberedRecord | undefined {
  if (body.length <= headBytes) return undefined;
  const head = body.toString("utf8", 0, headBytes);
  const replied = head.indexOf(reply);
  const cut = replied === -1 ? head.search(judged) : head.indexOf(text, replied);
  if (cut === -1 || body.lastIndexOf(usage) >= cut) return undefined;
  try {
    return answerIn(parseBody(head.slice(0, cut), replied === -1 ? "" : '"text":""}'));
  } catch {
    return undefined;
  }
}

function answerIn({ n, at, type, key, answer, reply }: Record<string, unknown>): NumberedRecord | undefined {
  if (type !== "answered" || typeof key !== "string") return undefined;
  const record = { type, key, answer, at: Number(at) } as const;
  if (reply === undefined) return { number: Number(n), record };
  const used = Used.safeParse((reply as { readonly usage?: unknown }).usage);
  if (!used.success) return undefined;
  const kept = { text: "", headBefore: null, ...(used.data !== undefined && { usage: used.data }) };
  return { number: Number(n), record: { ...record, reply: kept } };
}
