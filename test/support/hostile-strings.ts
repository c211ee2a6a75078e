import { encodingStrings } from "./hostile/encodings.ts";
import { gitStrings } from "./hostile/git.ts";
import { htmlStrings } from "./hostile/html.ts";
import { jsonStrings } from "./hostile/json.ts";
import { longStrings } from "./hostile/long.ts";
import { markdownStrings } from "./hostile/markdown.ts";
import { markerStrings } from "./hostile/markers.ts";
import { numberStrings } from "./hostile/numbers.ts";
import { pathStrings } from "./hostile/paths.ts";
import { promptStrings } from "./hostile/prompts.ts";
import { shellStrings } from "./hostile/shell.ts";
import { terminalStrings } from "./hostile/terminal.ts";
import { unicodeStrings } from "./hostile/unicode.ts";
import { yamlStrings } from "./hostile/yaml.ts";

export interface HostileString {
  readonly family: string;
  /** Unique. */
  readonly name: string;
  readonly text: string;
}

const families: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  markdown: markdownStrings,
  marker: markerStrings,
  terminal: terminalStrings,
  unicode: unicodeStrings,
  html: htmlStrings,
  yaml: yamlStrings,
  shell: shellStrings,
  git: gitStrings,
  path: pathStrings,
  json: jsonStrings,
  prompt: promptStrings,
  number: numberStrings,
  encoding: encodingStrings,
  long: longStrings,
};

export const hostileStrings: readonly HostileString[] = Object.entries(families).flatMap(([family, texts]) =>
  Object.entries(texts).map(([name, text]) => ({ family, name: `${family}: ${name}`, text })),
);
