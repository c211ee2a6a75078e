import type { Environment } from "./run-command.ts";

/**
 * The variables without secrets, judged by their names and by URLs in them.
 *
 * @param passed Names to keep anyway.
 */
export const scrubEnvironment = (env: Environment, passed: readonly string[] = []): Environment =>
  Object.fromEntries(Object.entries(env).filter(([name, value]) => passed.includes(name) || !isSecret(name, value)));

/**
 * Whether a variable holds a secret: by its name, or because it is a service URL with credentials, such as
 * `DATABASE_URL`. A proxy URL does not count, since commands need it for network access.
 */
export const isSecret = (name: string, value = ""): boolean =>
  isSecretName(name) || (addressName.test(name) && credentialsIn(value) !== null);

/** Whether a name suggests a secret. */
export const isSecretName = (name: string): boolean => secretWord.test(name) || secretEnding.test(name);

/** The password in a URL, or the user if there is no password; null without either. */
export const credentialsIn = (address: string): string | null => {
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
