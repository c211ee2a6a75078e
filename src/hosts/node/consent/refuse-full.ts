import { InputError } from "../../../model/errors.ts";
import type { Origin } from "../../../start/origin.ts";
import type { RunOptions } from "../run-options.ts";
import type { OwnerRecord } from "./owner-record.ts";

/**
 * Refuse a start that would allow a tool everything, unless a person has said so: now, or at an earlier start of this
 * spec.
 *
 * @throws {InputError} `full-not-said`
 */
export function refuseFull(
  { policy: { permissions } }: Pick<Origin, "policy">,
  { agreement }: Pick<OwnerRecord, "agreement">,
  { policy = {}, fromFiles = {} }: Pick<RunOptions, "policy" | "fromFiles">,
): void {
  if (permissions !== "full") return;
  const isSaid = policy.permissions === "full" && !Object.hasOwn(fromFiles, "permissions");
  if (isSaid || agreement?.options["permissions"] === "full") return;
  throw new InputError("Cannot take `permissions: full` from a file, expected it on the command line", {
    code: "full-not-said",
    ways: [
      { say: "Allow the tool everything", words: ["--permissions", "full"] },
      { say: "Or only to write files, run Verify and commit", words: ["--permissions", "edit"] },
    ],
  });
}
