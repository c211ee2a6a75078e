import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { Agreement } from "../../model/agreement.ts";
import { interpreted } from "../../model/interpreted.ts";
import { refused } from "../files/refused.ts";
import { writeAtomic } from "../files/write-atomic.ts";

const Consent = z.object({
  /** Real path of the spec's folder. */
  spec: z.string(),
  agreement: Agreement,
  /** ISO 8601. */
  at: z.string(),
});

const consentPath = (folder: string): string => join(folder, "consent.json");

/**
 * What this user has agreed to for a spec; null when nothing, or when the file cannot be read.
 *
 * @param folder The user's folder for the spec.
 */
export function readConsent(folder: string): Agreement | null {
  try {
    return Consent.parse(JSON.parse(readFileSync(consentPath(folder), "utf8")), interpreted).agreement;
  } catch {
    return null;
  }
}

/** @throws {EnvironmentError} `file-refused` */
export function writeConsent(folder: string, spec: string, agreement: Agreement): void {
  const path = consentPath(folder);
  const text = `${JSON.stringify({ spec, agreement, at: new Date().toISOString() }, undefined, 2)}\n`;
  refused("write", path, () =>
    writeAtomic(path, text, { temporary: `${path}.${process.pid}.tmp`, durable: true, mode: 0o600 }),
  );
}
