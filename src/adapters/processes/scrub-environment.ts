import type { Environment } from "./run-command.ts";

/**
 * The variables that hold no secret: neither their name nor an address in them suggests one.
 *
 * @param passed Names of those that are kept nevertheless.
 */
export const scrubEnvironment = (env: Environment, passed: readonly string[] = []): Environment =>
  Object.fromEntries(Object.entries(env).filter(([name, value]) => passed.includes(name) || !isSecret(name, value)));

/**
 * Whether a variable holds a secret: by its name, or because it is the address of a service with the key in it, such as
 * `DATABASE_URL`. The address of a proxy counts as none, since commands reach nothing without it.
 */
export const isSecret = (name: string, value = ""): boolean =>
  isSecretName(name) || (addressName.test(name) && credentialsIn(value) !== null);

/** Whether a name suggests a secret. */
export const isSecretName = (name: string): boolean => secretWord.test(name) || secretEnding.test(name);

/** The password in an address, or the user if there is only that; null without either. */
export const credentialsIn = (address: string): string | null => {
  const { user, password } = /^[\w+.-]{1,40}:\/\/(?<user>[^\s/:@]{0,200})(?::(?<password>[^\s/@]{1,400}))?@/.exec(
    address,
  )?.groups ?? { user: "" };
  return password ?? (user || null);
};

/** Anywhere in a name. `TOKENIZERS_PARALLELISM` is none. */
const secretWord = /TOKEN_|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY/i;

/**
 * At the end of a name, before an optional number or encoding. `MAX_TOKENS`, `PWD`, `SSH_AUTH_SOCK` and `COMPASS` are
 * none.
 */
const secretEnding =
  /(?:TOKEN|^TOKENS|(?:API|AUTH|ACCESS|REFRESH)_TOKENS|JWT|DSN|COOKIES?|SSHPASS|_PWD|(?:^|_)PASS|(?:^|_)AUTH|_KEY|_PAT|_SK)(?:_?\d{1,4}|_B64|_BASE64)?$/i;

const addressName = /(?:^|_)UR[IL]S?(?:_?\d{1,4})?$/i;
