import { closeSync, writeFileSync } from "node:fs";
import { constants } from "node:os";
import type { Reply } from "../../model/reply.ts";
import { readToolMessage } from "../../recover/executor-trouble.ts";
import { refused } from "../files/refused.ts";
import type { FollowedOutput } from "./follow-output.ts";
import { openOutput, readTail } from "./open-output.ts";
import type { CommandEnd } from "./run-command.ts";

export interface Outputs {
  /** Descriptors. */
  readonly stdout: number;
  readonly stderr: number;
  readonly message: string;
}

/** Maximum bytes of a final message in the reply; a longer message loses its start. */
export const keptBytes = 1024 * 1024;
const keptErrorBytes = 16 * 1024;
/** A program that fails sooner, without a message, has done no work. */
const atOnceMs = 5000;

/**
 * Read the reply of an ended program. If its preset finds no event in stdout, stdout is the message itself, such as a
 * startup error. The preset may still recognize the problem.
 *
 * @param isTool Whether the program is a known tool, whose messages about login or limits are understood.
 */
export async function readReply(
  outputs: Outputs,
  end: CommandEnd,
  followed: Pick<FollowedOutput, "finish">,
  isTool: boolean,
): Promise<Reply> {
  const exitCode = end.exitCode ?? 128 + (end.signal === null ? 0 : constants.signals[end.signal]);
  const stderr = readTail(outputs.stderr, keptErrorBytes);
  const { reader, isStream } = await followed.finish();
  const reading = reader?.end({ exitCode, stderr, now: Date.now() });
  const { usage = {}, denials, claim } = reading ?? {};
  const text = isStream ? keepMessage(outputs.message, reading?.text ?? "") : readTail(outputs.stdout, keptBytes);
  const isMessage = isTool && !isStream;
  const problem =
    reading?.problem ?? (isMessage ? readToolMessage({ text, exitCode, ended: end.ended }, Date.now()) : null);
  const isAtOnce = end.ended === "exit" && exitCode !== 0 && text.trim() === "" && end.durationMs < atOnceMs;
  return {
    text,
    stderr,
    exitCode,
    ended: end.ended,
    ...(end.limit !== undefined && { limit: end.limit }),
    ...(Object.keys(usage).length > 0 && { usage }),
    ...(problem !== null && { problem }),
    ...(denials !== undefined && { denials }),
    ...(claim !== undefined && { claim }),
    ...(end.leftBehind !== undefined && { leftBehind: end.leftBehind }),
    ...(isAtOnce && { atOnce: true }),
  };
}

export const keepMessage = (path: string, text: string): string =>
  refused("write", path, () => {
    const file = openOutput(path);
    try {
      writeFileSync(file, text);
      return readTail(file, keptBytes);
    } finally {
      closeSync(file);
    }
  });
