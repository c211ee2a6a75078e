import { InputError } from "./errors.ts";

/**
 * Check that a name is that of a file in the folder of a spec, such as `design.md`.
 *
 * @throws {InputError} `bad-artifact-name`
 */
export function checkArtifactName(name: string): void {
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name)) return;
  throw new InputError(`Cannot read artifact \`${name}\`, expected the name of a file`, {
    code: "bad-artifact-name",
    hint: "Name a file of the spec's own folder, as in `design.md`.",
  });
}
