import { readCommandList, type SimpleCommand } from "./read-command-list.ts";

const programName = /^[\w+.@-]+$/;
const ownPath = /\bPATH=/;

/**
 * The program that a script begins with, behind `cd <folder> &&`: one that a shell looks for on its path. Null when that
 * is not clear, and for a program with a folder, since a task may make that.
 */
export function firstProgram(script: string): string | null {
  const [statement = []] = readCommandList(script) ?? [];
  const index = statement.findIndex(({ commands }) => firstWord(commands) !== "cd");
  const pipeline = statement[index];
  if (pipeline === undefined || pipeline.operator === "||" || ownPath.test(script)) return null;
  const name = firstWord(pipeline.commands);
  return name !== undefined && programName.test(name) && /[A-Za-z]/.test(name) ? name : null;
}

const firstWord = ([first]: readonly SimpleCommand[]): string | undefined => (first as SimpleCommand).words[0];
