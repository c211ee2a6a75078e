import type { Environment } from "./run-command.ts";

const redacted = "[redacted]";

/**
 * Create a function that removes secrets from a text: values of secret variables, tokens of known shape, and values
 * after the name of a secret. Linear in the length of the text.
 *
 * @param env Current variables. Values below 8 characters and plain lower-case words are not removed; a password in a
 * URL is removed, whatever the variable's name.
 * @see T13 of the threat model in docs/trust.md
 */
export function redactSecrets(env: Readonly<Record<string, string | undefined>>): (text: string) => string {
  const values = Object.entries(env)
    .flatMap(([name, value = ""]) => secretsIn(name, value))
    .filter((value) => value.length >= 8 && !/^[a-z]*$/.test(value))
    // Sort the longer of two overlapping secrets first; otherwise the rest of the longer secret would remain.
    .sort((a, b) => b.length - a.length);
  return (text) => {
    const known = values.reduce((rest, value) => rest.replaceAll(value, redacted), text);
    const shaped = shapes.reduce(redactShape, longWord.test(known) ? longShapes.reduce(redactShape, known) : known);
    return someName.test(shaped) ? redactNamed(shaped, redacted) : shaped;
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

const redactShape = (text: string, { shape, needs, isOne = always }: Shape): string =>
  needs === undefined || needs.test(text) ? text.replace(shape, insteadOf(isOne)) : text;

/** Whether a text contains a capital letter or a digit, unlike a plain name. */
const isOpaque = (found: string): boolean => /[A-Z\d]/.test(found);

const fromBase64 = (found: string): string => Buffer.from(found, "base64").toString("latin1");
const isPlain = (text: string): boolean => /^[ -~]*$/.test(text);

/** Whether a text is the base64 form of `user:password`, as in `Basic` authentication. */
const isUserAndPassword = (found: string): boolean => fromBase64(found).includes(":") && isPlain(fromBase64(found));

/** Whether a text is random: its kinds of character alternate more often than in names and paths. */
function isRandom(found: string): boolean {
  if (!/[a-z]/.test(found) || !/[A-Z]/.test(found) || !/\d/.test(found) || isPlain(fromBase64(found))) return false;
  return (found.match(/[a-z]+|[A-Z]+|\d+|[+/]+/g)?.length ?? 0) > 16;
}

interface Shape {
  readonly shape: RegExp;
  /** Fast first check; matches every text with a secret of this shape. */
  readonly needs?: RegExp;
  readonly isOne?: (found: string) => boolean;
}

const longWord = /(?:^|[^\w+/-])[\w+/-]{20}/;

/**
 * Token shapes that contain a long random word. If the shape is ambiguous, the pattern includes the identifying
 * context. Each pattern starts at the beginning of a word, so that long words are not retried at every character.
 */
const longShapes: readonly Shape[] = [
  // GitHub, GitLab, npm, OpenAI and Anthropic, Stripe, Slack, Google, Hugging Face, PyPI, Docker, Linear, Vault, and
  // DigitalOcean.
  {
    shape:
      /(?<![\w-])(?:gh[oprsu]_|github_pat_|gl(?:pat|rt|dt|ft|cbt|ptt|soat|agent)-|npm_|sk-|[rs]k_(?:live|test)_|whsec_|xox[abeprs]-|xapp-|AIza|ya29\.|hf_|pypi-|dckr_[op]at_|lin_api_|hv[brs]\.|do[opr]_v1_)[\w-]{20,500}/g,
    isOne: isOpaque,
  },
  // AWS. The secret key is recognized only by its context.
  { shape: /(?<![\w/+=.-])[A-Za-z\d+/]{40}(?![\w/+=-])/g, isOne: isRandom },
];

const shapes: readonly Shape[] = [
  // SendGrid
  { shape: /(?<![\w-])SG\.[\w-]{16,64}\.[\w-]{16,64}/g, needs: /SG\./ },
  {
    shape: /(?<=hooks\.slack\.com\/(?:services|workflows|triggers)\/)[\w/-]{8,200}/g,
    needs: /hooks\.slack\.com/,
  },
  { shape: /(?<![\w-])(?:AKIA|ASIA)[0-9A-Z]{16}(?![\w-])/g, needs: /AKIA|ASIA/ },
  { shape: /(?<![\w-])eyJ[\w-]{10,4000}\.eyJ[\w-]{10,4000}\.[\w-]{10,4000}/g, needs: /eyJ/ },
  { shape: /(?<=[Bb]earer )[\w.~+/=-]{20,4000}/g, needs: /earer / },
  { shape: /(?<=\bToken )[\w.~+=-]{16,4000}/g, needs: /Token /, isOne: (found) => /\d/.test(found) },
  { shape: /(?<=\b[Bb]asic )[\w+/-]{8,2000}={0,2}/g, needs: /asic /, isOne: isUserAndPassword },
  {
    shape: /(?<=authorization\\?["']?: ?\\?["']?(?:(?:basic|bearer|digest|token) )?)[^\s"'\\[$<{]{8,4000}/gi,
    needs: /authorization/i,
    isOne: isOpaque,
  },
  { shape: /(?<=cookie: ?)[\w.-]{1,100}=[^\r\n"'\\]{1,4000}/gi, needs: /cookie:/i },
  { shape: /(?<=:\/\/[^\s/:@]{1,100}:)[^\s/@]{1,200}(?=@)/g, needs: /:\/\// },
  // Sentry
  { shape: /(?<=:\/\/)[\da-f]{32}(?=@)/g, needs: /:\/\// },
  {
    shape: /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[\w+/=\s]{0,8000}(?:-----END [A-Z ]{0,30}PRIVATE KEY-----)?/g,
    needs: /-----BEGIN /,
  },
];

/**
 * Remove values after the name of a secret, as in `password=…`, `"apiKey": "…"` and `x-api-key: …`. References such as
 * `$TOKEN`, types, paths and numbers are no secrets. Linear in the length of the text.
 */
function redactNamed(text: string, instead: string): string {
  const parts: string[] = [];
  let kept = 0;
  for (const { 0: label, 1: name = "", 2: sign = "", index } of text.matchAll(labels)) {
    const at = index + label.length;
    if (at < kept || !isSecretLabel(name, sign)) continue;
    const found = valueAt(text, at);
    if (!isValue(found, name, sign)) continue;
    parts.push(text.slice(kept, at), instead);
    kept = at + found.length;
  }
  return parts.length === 0 ? text : parts.join("") + text.slice(kept);
}

const labels = /(?<![\w-])([\w-]{2,80})(\\?["'`]?[ \t]{0,2}(?:=>|:=|={1,3}|:)[ \t]{0,2}\\?["'`]?)/g;

function valueAt(text: string, at: number): string {
  const found = text.slice(at, at + longest);
  const word = found.slice(0, found.search(/[\s"'`\\]|$/));
  let end = word.length;
  while (end > 0 && ")]}>,;.".includes(word.charAt(end - 1))) end -= 1;
  return word.slice(0, end);
}
const longest = 1000;

/** Whether a name labels a secret. In test output, `PASS:` precedes the name of a test. */
function isSecretLabel(name: string, sign: string): boolean {
  if (/^pass$/i.test(name)) return sign.includes("=");
  return /[a-z]/.test(name) ? labelWord.test(name) : isSecretName(name.replaceAll("-", "_"));
}
/** Fast first check; matches every name of a secret. */
const someName = /pass|pwd|secret|token|credential|jwt|key|auth|cookie|dsn|[-_]pat|[-_]sk/i;
/** Endings of names of secrets. `key` alone is not enough, since many keys are not secrets. */
const labelWord =
  /(?:password|passwd|passphrase|[-_]pass|[-_]?pwd|secret|token|credentials?|jwt|(?:api|access|private|secret|auth)[-_]?key|[-_]auth|cookie)$/i;

function isValue(found: string, name: string, sign: string): boolean {
  if (noValue.test(found)) return false;
  if (!/pass|pwd/i.test(name)) return found.length >= 12 && /\d/.test(found);
  if (found.length < 6) return false;
  // After `password=` without a blank, even a plain word is a secret.
  return (sign === "=" && !ofProgram.test(found)) || /[^a-z_.:/-]/i.test(found);
}

/** Matches values that are not secrets: references, calls, masks, redacted values, paths and numbers. */
const noValue = /^(?:[$%<{[(*/~!]|\.{1,2}\/|[A-Za-z_][\w.$]{0,80}[([<]|\d[\d.:,TZ-]*$|0x[\da-f]+$)/i;
const ofProgram = /^(?:string|undefined|required|optional|boolean|number|missing|invalid|incorrect|redacted)$/i;

/**
 * The variables without secrets, judged by their names and by URLs in them.
 *
 * @param passed Names of variables to keep although they look like secrets.
 */
export const scrubEnvironment = (env: Environment, passed: readonly string[] = []): Environment =>
  Object.fromEntries(Object.entries(env).filter(([name, value]) => passed.includes(name) || !isSecret(name, value)));

/**
 * Whether a variable holds a secret: by its name, or because it is a service URL with credentials, such as
 * `DATABASE_URL`. A proxy URL is not a secret, since commands need it for network access.
 */
const isSecret = (name: string, value = ""): boolean =>
  isSecretName(name) || (addressName.test(name) && credentialsIn(value) !== null);

const isSecretName = (name: string): boolean => secretWord.test(name) || secretEnding.test(name);

/** The password in a URL, or the user if there is no password; null if the URL has neither a password nor a user. */
const credentialsIn = (address: string): string | null => {
  const { user, password } = /^[\w+.-]{1,40}:\/\/(?<user>[^\s/:@]{0,200})(?::(?<password>[^\s/@]{1,400}))?@/.exec(
    address,
  )?.groups ?? { user: "" };
  return password ?? (user || null);
};

/** Words anywhere in the name of a secret. `TOKENIZERS_PARALLELISM` does not match. */
const secretWord = /TOKEN_|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY/i;

/**
 * Ending of the name of a secret, before an optional number or encoding. `MAX_TOKENS`, `PWD`, `SSH_AUTH_SOCK` and
 * `COMPASS` do not match.
 */
const secretEnding =
  /(?:TOKEN|^TOKENS|(?:API|AUTH|ACCESS|REFRESH)_TOKENS|JWT|DSN|COOKIES?|SSHPASS|_PWD|(?:^|_)PASS|(?:^|_)AUTH|_KEY|_PAT|_SK)(?:_?\d{1,4}|_B64|_BASE64)?$/i;

const addressName = /(?:^|_)UR[IL]S?(?:_?\d{1,4})?$/i;
