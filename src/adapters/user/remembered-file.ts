import { createHash } from "node:crypto";
import { join } from "node:path";
import * as z from "zod";
import { AgreedPlace, Agreement } from "../../model/agreement.ts";
import { interpreted } from "../../model/parse-json.ts";
import { readRegular } from "../files/own-file.ts";
import { refused } from "../files/refused.ts";
import { writeAtomic } from "../files/write-atomic.ts";

export type Remembered<Value> =
  | { readonly kind: "absent" }
  | {
      readonly kind: "unreadable";
      /** Predicate of a sentence about the file, such as "cannot be read". */
      readonly reason: string;
    }
  | {
      readonly kind: "read";
      readonly place: AgreedPlace;
      readonly value: Value;
      /** Whether the file was changed by anything but fixpoint. */
      readonly isAltered: boolean;
    };

const version = 2;

const Envelope = z.looseObject({ v: z.literal(version), ...AgreedPlace.shape, sum: z.unknown().optional() });

const pathIn = (folder: string, name: string): string => join(folder, `${name}.json`);

/**
 * Read a remembered file.
 *
 * @param folder The user's folder for the spec.
 * @param name File name without `.json`.
 * @param schema Schema of the value; it is applied to the whole content of the file.
 */
export function readRemembered<Value>(folder: string, name: string, schema: z.ZodType<Value>): Remembered<Value> {
  let given: unknown;
  try {
    const content = readRegular(pathIn(folder, name));
    if (content === null) return { kind: "absent" };
    given = JSON.parse(content.toString("utf8"));
  } catch {
    return { kind: "unreadable", reason: "cannot be read" };
  }
  const { v } = z.object({ v: z.number() }).safeParse(given, interpreted).data ?? { v: 0 };
  if (v > version) return { kind: "unreadable", reason: "was written by a later version of fixpoint" };
  const envelope = Envelope.safeParse(given, interpreted).data;
  const value = schema.safeParse(given, interpreted).data;
  if (envelope === undefined || value === undefined) return { kind: "unreadable", reason: "cannot be read" };
  const { sum, ...rest } = given as typeof envelope;
  const { spec, workspace, origin } = envelope;
  return { kind: "read", place: { spec, workspace, origin }, value, isAltered: sum !== sumOf(rest) };
}

/** @throws {EnvironmentError} `file-refused` */
export function writeRemembered(folder: string, name: string, place: AgreedPlace, value: object): void {
  const path = pathIn(folder, name);
  const content = { v: version, ...place, ...value };
  const text = `${JSON.stringify({ ...content, sum: sumOf(content) }, undefined, 2)}\n`;
  refused("write", path, () =>
    writeAtomic(path, text, { temporary: `${path}.${process.pid}.tmp`, durable: true, mode: 0o600 }),
  );
}

/** Checksum that detects accidental changes, not changes by a program of the same user. */
const sumOf = (content: object): string => createHash("sha256").update(JSON.stringify(content)).digest("hex");

const Consent = z.object({
  agreement: Agreement,
  /** ISO 8601. */
  at: z.string(),
});

export const readConsent = (folder: string): Remembered<z.infer<typeof Consent>> =>
  readRemembered(folder, "consent", Consent);

/** @throws {EnvironmentError} `file-refused` */
export const writeConsent = (folder: string, place: AgreedPlace, agreement: Agreement): void =>
  writeRemembered(folder, "consent", place, { agreement, at: new Date().toISOString() });
