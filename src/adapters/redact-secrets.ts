import { isSecretName } from "./scrub-environment.ts";

/** What stands in place of a secret. */
const redacted = "[redacted]";

/**
 * Something that takes secrets out of a text: values of variables whose names look like a secret's, and what has the
 * shape of a known kind of token. Linear in the length of the text.
 *
 * @param env Variables as they are now; values of less than 8 characters, and plain lower-case words, are none.
 * @see T13 of the threat model in docs/trust.md
 */
export function redactSecrets(env: Readonly<Record<string, string | undefined>>): (text: string) => string {
  const values = Object.entries(env)
    .filter(([name]) => isSecretName(name) && !name.startsWith("FIXPOINT_"))
    .flatMap(([, value = ""]) => (value.length >= 8 && !/^[a-z]*$/.test(value) ? [value] : []))
    // Of two that overlap the longer one first: the rest of it would stay.
    .sort((a, b) => b.length - a.length);
  return (text) => {
    const known = values.reduce((rest, value) => rest.replaceAll(value, redacted), text);
    return shapes.reduce((rest, [shape, instead]) => rest.replace(shape, instead), known);
  };
}

/** Each begins where no longer word does, so that none is tried again at every character of a long one. */
const shapes: readonly (readonly [RegExp, string])[] = [
  [/(?<![\w-])(?:gh[oprsu]_|github_pat_|glpat-|npm_|sk-|xox[abeprs]-|AIza)[\w-]{20,500}/g, redacted],
  [/(?<![\w-])(?:AKIA|ASIA)[0-9A-Z]{16}(?![\w-])/g, redacted],
  [/(?<![\w-])eyJ[\w-]{10,4000}\.eyJ[\w-]{10,4000}\.[\w-]{10,4000}/g, redacted],
  [/(?<=[Bb]earer )[\w.~+/=-]{20,4000}/g, redacted],
  [/(?<=:\/\/[^\s/:@]{1,100}:)[^\s/@]{1,200}(?=@)/g, redacted],
  [/-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[\w+/=\s]{0,8000}(?:-----END [A-Z ]{0,30}PRIVATE KEY-----)?/g, redacted],
];
