import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

export interface OutputFixture {
  readonly name: string;
  readonly tool: string;
  readonly command: string;
  readonly text: string;
  readonly expected: readonly string[];
  readonly failed: number | null;
  readonly ran: number | null;
  readonly at: Readonly<Record<string, string>>;
}

const folder = resolve(import.meta.dirname, "../fixtures/outputs");

export const readFixtures = (): OutputFixture[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith(".json"))
    .map((file) => {
      const name = file.slice(0, -".json".length);
      const told = JSON.parse(readFileSync(join(folder, file), "utf8")) as Omit<OutputFixture, "name" | "text">;
      const expected = told.expected.map((id) => id.replaceAll("/project/", ""));
      return { ...told, expected, at: told.at ?? {}, name, text: readFileSync(join(folder, `${name}.txt`), "utf8") };
    });

export const known: Readonly<Record<string, string>> = {
  "oxlint-deny-warnings": "nothing that is printed tells that warnings were denied",
};
