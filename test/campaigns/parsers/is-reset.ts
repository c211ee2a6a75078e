import { readLocalTime } from "../../../src/adapters/presets/output/codex.ts";
import { readStderr } from "../../../src/recover/classify-failure.ts";
import { readResetTime } from "../../../src/recover/service-problem.ts";

const now = Date.UTC(2026, 0, 1);
const week = 7 * 24 * 60 * 60 * 1000;

export const isReset = {
  name: "reset times",
  seeds: [
    "429 too many requests, try again in 5m30s",
    "resets at 2026-01-01T05:00:00Z",
    "retry-after: 120",
    "try again at Jan 2nd, 2026 11:50 AM",
  ],
  parse: (text: string) => [
    readResetTime(text, now),
    readLocalTime(text, now) === null ? null : now + 1,
    readStderr(text, now)?.until ?? null,
  ],
  holds: (times: readonly (number | null)[]): boolean =>
    times.every((time) => time === null || (time > now && time <= now + week)),
};
