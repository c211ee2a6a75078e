import * as z from "zod";
import type { AgreedPlace } from "../../model/agreed-place.ts";
import { Agreement } from "../../model/agreement.ts";
import { type Remembered, readRemembered, writeRemembered } from "./remembered-file.ts";

const Consent = z.object({
  agreement: Agreement,
  /** ISO 8601. */
  at: z.string(),
});

/**
 * Read what this user has agreed to for a spec.
 *
 * @param folder The user's folder for the spec.
 */
export const readConsent = (folder: string): Remembered<z.infer<typeof Consent>> =>
  readRemembered(folder, "consent", Consent);

/** @throws {EnvironmentError} `file-refused` */
export const writeConsent = (folder: string, place: AgreedPlace, agreement: Agreement): void =>
  writeRemembered(folder, "consent", place, { agreement, at: new Date().toISOString() });
