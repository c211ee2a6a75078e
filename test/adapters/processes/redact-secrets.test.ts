import { describe, expect, it } from "vitest";
import { redactSecrets } from "../../../src/adapters/processes/redact-secrets.ts";

/** Joins the parts of a token, because a secret scanner would report a whole token in this file. */
const join = (...parts: string[]): string => parts.join("");
const tokens: Readonly<Record<string, string>> = {
  "GitHub's": join("ghp", "_", "a1B2".repeat(9)),
  "GitHub's fine-grained": join("github", "_pat_", "11ABCDEFG0_", "x1".repeat(20)),
  "GitLab's": join("gl", "pat-", "abcdefghij1234567890"),
  "npm's": join("npm", "_", "a1B2".repeat(9)),
  "OpenAI's": join("s", "k-proj-", "a1B2".repeat(9)),
  "Anthropic's": join("s", "k-ant-api03-", "a1B2-_".repeat(9)),
  "Stripe's": join("s", "k_live_", "51HaB2c3D4e5F6g7H8i9J0kL"),
  "Stripe's restricted": join("r", "k_test_", "51HaB2c3D4e5F6g7H8i9J0kL"),
  "Hugging Face's": join("h", "f_", "aBcDeFgHiJkLmNoPqRsTuVwXyZaBcDeFgH"),
  "PyPI's": join("py", "pi-", "AgEIcHlwaS5vcmc", "a1B2-_".repeat(12)),
  "Docker's": join("dc", "kr_pat_", "aBcDeFgHiJkLmNoPqRsTuVwXyZ0"),
  "Google's for OAuth": join("ya", "29.", "a0AfH6SMBx1234567890abcdefghijklmno"),
  "SendGrid's": join("S", "G.", "aBcDeFgHiJkLmNoPqRsTuV", ".", "aBcDeFgHiJkLmNoPqRsTuVwXyZ0123456789aBcDeFg"),
  "Linear's": join("lin", "_api_", "a1B2".repeat(10)),
  "Vault's": join("hv", "s.", "CAESIA1B2c3D4e5F6g7H8i9J0kL"),
  "DigitalOcean's": join("do", "p_v1_", "a1b2".repeat(16)),
  "GitLab's for runners": join("gl", "rt-", "abcdefghij1234567890"),
  "the secret of AWS's": join("wJalrXUtnFEMI", "/K7MDENG/", "bPxRfiCYEXAMPLEKEY"),
  "the secret of AWS's, without a sign": join("kQ9zX2mN7pL4", "wR8tY1uI3oP6", "aS5dF0gH2jK9", "lZ4x"),
  "Slack's": join("xo", "xb-", "123456789012-abcdefghijkl"),
  "Google's": join("AI", "za", "a1B2_-c3D4".repeat(4)),
  "AWS's": join("AK", "IA", "ABCDEFGHIJ234567"),
  "a JSON web token": join("ey", "JhbGciOiJIUzI1NiJ9", ".", "ey", "JzdWIiOiIxMjM0NTYifQ", ".", "c2lnbmF0dXJlMTIz"),
};

describe("secrets in a text", () => {
  const redact = redactSecrets({});

  it.each(Object.entries(tokens))("are recognized by their shape: %s", (_, token) => {
    expect(redact(`The key ${token} was refused`)).toBe("The key [redacted] was refused");
    expect(redact(token)).toBe("[redacted]");
  });

  it("are removed from headers, addresses and key files", () => {
    expect(redact("Authorization: Bearer abcdefghijklmnopqrstuvwxyz")).toBe("Authorization: Bearer [redacted]");
    expect(redact("cannot reach https://user:hunter2@example.com/x")).toBe(
      "cannot reach https://user:[redacted]@example.com/x",
    );
    const key = "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXk=\n-----END OPENSSH PRIVATE KEY-----";
    expect(redact(`before\n${key}\nafter`)).toBe("before\n[redacted]\nafter");
  });

  const hook = join("hooks.sl", "ack.com/services/");
  const secretOfAws = join("AbCdEfGhIjKlMnOpQrSt", "UvWxYzAbCdEfGhIjKlMn");
  it.each([
    [`curl https://${hook}T12345678/B12345678/aBcDeFgHiJkL`, `curl https://${hook}[redacted]`],
    [`export AWS_SECRET_ACCESS_KEY=${secretOfAws}/1`, "export AWS_SECRET_ACCESS_KEY=[redacted]"],
    ["> Authorization: Basic dXNlcjpodW50ZXIy", "> Authorization: Basic [redacted]"],
    ["sent Basic dXNlcjpodW50ZXIy, got 401", "sent Basic [redacted], got 401"],
    ["Authorization: Token 9944b09199c62bcf9418ad846dd0e4bb", "Authorization: Token [redacted]"],
    ["a header of Token 9944b09199c62bcf9418ad846dd0e4bb is refused", "a header of Token [redacted] is refused"],
    ["authorization: a1B2c3D4e5", "authorization: [redacted]"],
    ["error: password=hunter2 rejected", "error: password=[redacted] rejected"],
    ["login(user=joe, password=correcthorse)", "login(user=joe, password=[redacted])"],
    ['{"password": "Tr0ub4dor&3", "user": "joe"}', '{"password": "[redacted]", "user": "joe"}'],
    ['"body": "{\\"apiKey\\":\\"a1B2c3D4e5F6g7\\"}"', '"body": "{\\"apiKey\\":\\"[redacted]\\"}"'],
    ["> x-api-key: a1B2c3D4e5F6g7", "> x-api-key: [redacted]"],
    ["curl -H 'X-Auth-Token: a1B2c3D4e5F6g7' x", "curl -H 'X-Auth-Token: [redacted]' x"],
    ["GET /x?access_token=a1B2c3D4e5F6g7 401", "GET /x?access_token=[redacted] 401"],
    ["mysql --password=hunter22 app", "mysql --password=[redacted] app"],
    ["PASS=hunter22 make", "PASS=[redacted] make"],
    ["Set-Cookie: sid=a1B2c3; Path=/; HttpOnly", "Set-Cookie: [redacted]"],
    ["https://0123456789abcdef0123456789abcdef@o1.ingest.sentry.io/1", "https://[redacted]@o1.ingest.sentry.io/1"],
    ["db_password=my_secret=abcdef123456 is wrong", "db_password=[redacted] is wrong"],
    ["password=abc123 secret=abcdefghij12", "password=[redacted] secret=[redacted]"],
    ["DEPLOY_KEY=abcdefghij12 DEPLOY-KEY: abcdefghij12", "DEPLOY_KEY=[redacted] DEPLOY-KEY: [redacted]"],
    ["password=something", "password=[redacted]"],
    ["sent Token 1234567890123456", "sent Token [redacted]"],
  ])("are removed by their prefix: %s", (text, expected) => {
    expect(redact(text)).toBe(expected);
    expect(redact(expected)).toBe(expected);
  });

  it("are the passwords of addresses in variables, wherever they appear, and the key of a data source", () => {
    const known = redactSecrets({
      DATABASE_URL: "postgres://app:s3cr3t%2Dword@db:5432/app",
      HTTPS_PROXY: "http://joe:another-w0rd@proxy:3128",
      SENTRY_DSN: "https://some-public-key@sentry.example.com/1",
      SERVICE_URL: "https://example.com/app1",
    });
    expect(
      known("no login for s3cr3t-word, s3cr3t%2Dword, another-w0rd; some-public-key at https://example.com/app1"),
    ).toBe("no login for [redacted], [redacted], [redacted]; [redacted] at https://example.com/app1");
  });

  it("are the values of variables with a secret's name", () => {
    const known = redactSecrets({
      DEPLOY_TOKEN: "open-sesame-42",
      DB_PASSWORD: "open-sesame-42-and-more",
      EDITOR: "nano-nano-1",
    });
    expect(known("used open-sesame-42-and-more, open-sesame-42 and nano-nano-1")).toBe(
      "used [redacted], [redacted] and nano-nano-1",
    );
  });

  it.each(
    (
      "password DB_PASSWORD passwd passphrase my-pass DB_PASS SSHPASS pwd ADMIN_PWD secret client_secret token " +
      "ACCESS_TOKEN TOKEN_2 credential CREDENTIALS jwt JWT api-key apiKey API_KEY ACCESS_KEY PRIVATE_KEY auth_key " +
      "x-auth BASIC_AUTH cookie SESSION_COOKIES SENTRY_DSN GITHUB_PAT CLIENT_SK DEPLOY_KEY_B64"
    ).split(" "),
  )("are values after a secret's name: %s", (name) => {
    expect(redact(`${name}=qT7x-0Zp4-Lm9w`)).toBe(`${name}=[redacted]`);
  });

  it("are not short values, plain words, or our own keys", () => {
    const known = redactSecrets({
      A_KEY: "1.1#1",
      API_KEY: "undefined",
      FIXPOINT_KEY: "1.10.1#12",
      B_TOKEN: undefined,
    });
    const text = "1.1#1 undefined 1.10.1#12";
    expect(known(text)).toBe(text);
  });

  it.each([
    "task-sk-1 sk-short ghp_short see https://example.com:8080/a@b",
    "commit 0123456789abcdef0123456789abcdef01234567 AKIA eyJ.eyJ.x Bearer of news",
    "index 0123456..89abcde 100644, HEAD is now at 0a1b2c3d4e5f",
    "run 3f2504e0-4f89-11d3-9a0c-0305e82c3301 of sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "UGF0aWVuY2UgaXMgdGhlIGtleSB0byBzdWNjZXNz aGVsbG8= d29ybGQ= Zm9vYmFy Basic aGVsbG8gd29ybGQ= Basic authentication is off",
    "integrity sha512-kJ9zX2mN7pL4wR8tY1uI3oP6aS5dF0gH2jK9lZ4xQ2w3E4r5T6y7U8i9O0pA==",
    "MAX_TOKENS=1000000000 TOKENIZERS_PARALLELISM=falsefalse1 PWD=/home/u/app1 SSH_AUTH_SOCK=/tmp/ssh-1/agent.1",
    '{"input_tokens": 123456789012, "tokens": 123456789012, "author": "someone-1234567"}',
    "PATH=/usr/local/bin1:/usr/bin AUTHOR=someone-1234567 PASSED=123456789012a COMPASS=north-by-1234567",
    "PASS: tests/check_password_1.sh",
    "PASS src/password.test1.ts",
    "src/redact-secrets.ts:12:34: error TS2322: Type 'string' is not assignable",
    "src/auth-token.ts:120:const value1 = 2",
    "password: string; token: Token1; const token = readToken(file1)",
    "store(credential: Credential): Promise<void>; token = this$1.getToken(); PASS_DEPTH_PASS: 0x0B9612",
    "password=undefined passwordHash = hashOf1(password) secret: process.env.SECRET_NUMBER_1x(",
    "curl -u $USER:$PASS1 -H 'X-Api-Key: $API_KEY_12345' --password=$DB_PASSWORD_1 token=<your-token-12345>",
    "SyntaxError: Unexpected token: '}' expected token: identifier",
    "Token expired, Token authentication failed",
    '"primary_key": "user-1234567890", "cache-key: node-modules-1234567890"',
    "npm_config_user_agent_is_not_known pypi-server-of-the-whole-team sk-in-a-long-name-of-words",
    "at AbstractOAuthConfigurationProviderFactory1 in src/components/Button2/ButtonOfTheFormula",
    "password=ab,c1 password=........ secret=abcdefghi12 password: something password=required",
    "dsn=abcdef123456789 deploy_key=abcdef123456789 sent Token abcdefghijklmnopq",
    "token_type: bearer-1234567890 secrets/path token: /run/secrets/token-12345678 auth: ./keys/id_1234567",
  ])("are not values that only resemble one: %s", (text) => {
    expect(redact(text)).toBe(text);
  });

  function changing(runs: number, kinds: readonly string[]): string {
    const lengths = Array.from({ length: runs }, (_, run) => Math.floor(40 / runs) + (run < 40 % runs ? 1 : 0));
    return lengths.map((length, run) => kinds[run % kinds.length]?.slice(0, length)).join("");
  }

  it.each([
    [17, ["abc", "XYZ", "123"], true],
    [17, ["abc", "XYZ", "123", "++/"], true],
    [16, ["abc", "XYZ", "123"], false],
    [16, ["abc", "XYZ", "123", "++/"], false],
    [40, ["X", "1"], false],
    [40, ["a", "1"], false],
    [40, ["a", "X"], false],
  ])(
    "are words of 40 characters that change their character class more than 16 times: %i, %j",
    (runs, kinds, isOne) => {
      const word = changing(runs, kinds);
      expect(redact(`key ${word} there`)).toBe(`key ${isOne ? "[redacted]" : word} there`);
    },
  );

  it("are values of 8 characters, and passwords both encoded and decoded", () => {
    const known = redactSecrets({
      ...{ A_TOKEN: "abcdef-1", B_TOKEN: "ghijk-1" },
      ...{ C: "amqp://u:lm%40no%20pq@h", D: "amqp://u:rst%uv%wx@h", E: "http://some-user-1@h", F: "http://h:8080/a" },
    });
    expect(known("abcdef-1 ghijk-1 lm%40no%20pq lm@no pq rst%uv%wx some-user-1 http://h:8080/a")).toBe(
      "[redacted] ghijk-1 [redacted] [redacted] [redacted] some-user-1 http://h:8080/a",
    );
  });

  it.each([
    ["one word", (n: number) => "a".repeat(n)],
    ["one name", (n: number) => "token_".repeat(n / 6)],
    ["names without a value", (n: number) => "password=".repeat(n / 9)],
    ["names with blanks", (n: number) => "password = ' ".repeat(n / 13)],
    ["beginnings of addresses", (n: number) => "http://a:".repeat(n / 9)],
    ["one long value", (n: number) => `password=${"a1".repeat(n / 2)}`],
  ])("take linear time: %s", (_, make) => {
    const long = make(4_000_000);
    const startedAt = performance.now();
    redact(long);
    expect(performance.now() - startedAt).toBeLessThan(20_000);
  });
});
