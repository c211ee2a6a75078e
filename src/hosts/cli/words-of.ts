import { InputError } from "../../model/errors.ts";

/** The text of an option that takes any. @throws {InputError} `bad-option` */
export function wordsOf(option: string, text: string): string {
  if (text.trim() !== "") return text;
  throw new InputError(`Cannot use ${option} \`${text}\`, expected some text`, { code: "bad-option" });
}
