import { describe, expect, it } from "vitest";
import { scrubEnvironment } from "../../../src/adapters/processes/redact-secrets.ts";

const secrets: Readonly<Record<string, string>> = {
  GITHUB_PAT: "x",
  SERVICE_JWT: "x",
  JWT: "x",
  SSHPASS: "x",
  SENTRY_DSN: "https://0123@o1.ingest.sentry.io/1",
  DATABASE_URL: "postgres://app:s3cr3t-word@db:5432/app",
  PIP_INDEX_URL: "https://token@pypi.example.com/simple",
  SESSION_COOKIE: "x",
  COOKIES: "x",
  STRIPE_SK: "x",
  TOKENS: "x",
  API_TOKENS: "x",
  PASS: "x",
  DB_PASS: "x",
  AUTH: "x",
  OPENAI_KEY_1: "x",
  OPENAI_KEY2: "x",
  NPMRC_AUTH_B64: "x",
  GITHUB_TOKEN: "x",
  TOKEN_OF_BOT: "x",
  AWS_SECRET_ACCESS_KEY: "x",
  PGPASSWORD: "x",
  MYSQL_PWD: "x",
  npm_config__auth: "x",
};

const others: Readonly<Record<string, string>> = {
  MAX_TOKENS: "4096",
  MAX_OUTPUT_TOKENS: "4096",
  TOKENIZERS_PARALLELISM: "false",
  PWD: "/home/u",
  OLDPWD: "/home",
  SSH_AUTH_SOCK: "/run/agent",
  XAUTHORITY: "/home/u/.Xauthority",
  PATH: "/usr/bin",
  AUTHOR: "me",
  GIT_AUTHOR_NAME: "me",
  PASSED: "12",
  COMPASS: "north",
  BYPASS: "1",
  COMPAT: "1",
  KEYBOARD: "us",
  TASK: "1.1",
  DISK: "sda",
  DATABASE_URL: "postgres://db:5432/app",
  BASE_URL: "http://localhost:3000/@vite/client",
  NOTE: "postgres://app:s3cr3t-word@db:5432/app",
  HELP_URL: "see postgres://app:s3cr3t-word@db:5432/app",
  EMPTY_URL: "",
  HTTPS_PROXY: "http://user:hunter2hunter2@proxy:3128",
};

describe("the environment of a Verify command", () => {
  it.each(Object.entries(secrets))("lacks %s", (name, value) => {
    expect(scrubEnvironment({ [name]: value, LANG: "C" })).toEqual({ LANG: "C" });
  });

  it.each(Object.entries(others))("has %s", (name, value) => {
    expect(scrubEnvironment({ [name]: value })).toEqual({ [name]: value });
  });
});
