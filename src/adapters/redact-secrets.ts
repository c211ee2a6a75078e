import { redactNamed } from "./redact-named.ts";
import { credentialsIn, isSecret } from "./scrub-environment.ts";

/** What stands in place of a secret. */
const redacted = "[redacted]";

/**
 * Something that takes secrets out of a text: values of variables that hold one, what has the shape of a known kind of
 * token, and what stands behind the name of a secret. Linear in the length of the text.
 *
 * @param env
 *   Variables as they are now; values of less than 8 characters, and plain lower-case words, are none. Of an address
 *   with a password in it the password is one, whatever the variable's name.
 * @see T13 of the threat model in docs/trust.md
 */
export function redactSecrets(env: Readonly<Record<string, string | undefined>>): (text: string) => string {
  const values = Object.entries(env)
    .flatMap(([name, value = ""]) => secretsIn(name, value))
    .filter((value) => value.length >= 8 && !/^[a-z]*$/.test(value))
    // Of two that overlap the longer one first: the rest of it would stay.
    .sort((a, b) => b.length - a.length);
  return (text) => {
    const known = values.reduce((rest, value) => rest.replaceAll(value, redacted), text);
    const shaped = shapes.reduce((rest, [shape, isOne = always]) => rest.replace(shape, insteadOf(isOne)), known);
    return redactNamed(shaped, redacted);
  };
}

function secretsIn(name: string, value: string): string[] {
  if (name.startsWith("FIXPOINT_")) return [];
  const credentials = credentialsIn(value);
  if (credentials !== null && /:\/\/[^@]*:/.test(value)) return [credentials, decoded(credentials)];
  return isSecret(name, value) ? [credentials ?? value] : [];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const insteadOf =
  (isOne: (found: string) => boolean) =>
  (found: string): string =>
    isOne(found) ? redacted : found;
const always = (): boolean => true;

/** Unlike a name of lower-case words that are joined by signs. */
const isOpaque = (found: string): boolean => /[A-Z\d]/.test(found);

const fromBase64 = (found: string): string => Buffer.from(found, "base64").toString("latin1");
const isPlain = (text: string): boolean => /^[ -~]*$/.test(text);

/** A user and a password, as `Basic` has them. */
const isUserAndPassword = (found: string): boolean => fromBase64(found).includes(":") && isPlain(fromBase64(found));

/** As often as its kind of character changes in random text, which names and paths do less. */
function isRandom(found: string): boolean {
  if (!/[a-z]/.test(found) || !/[A-Z]/.test(found) || !/\d/.test(found) || isPlain(fromBase64(found))) return false;
  return (found.match(/[a-z]+|[A-Z]+|\d+|[+/]+/g)?.length ?? 0) > 16;
}

/**
 * What is taken out, where a text of that shape need not be a secret with what it is known by. Each begins where no
 * longer word does, so that none is tried again at every character of a long one.
 */
const shapes: readonly (readonly [shape: RegExp, isOne?: (found: string) => boolean])[] = [
  // GitHub, GitLab, npm, OpenAI and Anthropic, Stripe, Slack, Google, Hugging Face, PyPI, Docker, Linear, Vault, and
  // DigitalOcean.
  [
    /(?<![\w-])(?:gh[oprsu]_|github_pat_|gl(?:pat|rt|dt|ft|cbt|ptt|soat|agent)-|npm_|sk-|[rs]k_(?:live|test)_|whsec_|xox[abeprs]-|xapp-|AIza|ya29\.|hf_|pypi-|dckr_[op]at_|lin_api_|hv[brs]\.|do[opr]_v1_)[\w-]{20,500}/g,
    isOpaque,
  ],
  // SendGrid
  [/(?<![\w-])SG\.[\w-]{16,64}\.[\w-]{16,64}/g],
  [/(?<=hooks\.slack\.com\/(?:services|workflows|triggers)\/)[\w/-]{8,200}/g],
  [/(?<![\w-])(?:AKIA|ASIA)[0-9A-Z]{16}(?![\w-])/g],
  // The secret to such a key of AWS has nothing else to be known by.
  [/(?<![\w/+=.-])[A-Za-z\d+/]{40}(?![\w/+=-])/g, isRandom],
  [/(?<![\w-])eyJ[\w-]{10,4000}\.eyJ[\w-]{10,4000}\.[\w-]{10,4000}/g],
  [/(?<=[Bb]earer )[\w.~+/=-]{20,4000}/g],
  [/(?<=\bToken )[\w.~+=-]{16,4000}/g, (found) => /\d/.test(found)],
  [/(?<=\b[Bb]asic )[\w+/-]{8,2000}={0,2}/g, isUserAndPassword],
  [/(?<=authorization\\?["']?: ?\\?["']?(?:(?:basic|bearer|digest|token) )?)[^\s"'\\[$<{]{8,4000}/gi, isOpaque],
  [/(?<=cookie: ?)[\w.-]{1,100}=[^\r\n"'\\]{1,4000}/gi],
  [/(?<=:\/\/[^\s/:@]{1,100}:)[^\s/@]{1,200}(?=@)/g],
  // Sentry
  [/(?<=:\/\/)[\da-f]{32}(?=@)/g],
  [/-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[\w+/=\s]{0,8000}(?:-----END [A-Z ]{0,30}PRIVATE KEY-----)?/g],
];
