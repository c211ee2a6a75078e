import { closeSync, writeFileSync } from "node:fs";
import { constants } from "node:os";
import type { Reply } from "../../model/reply.ts";
import { refused } from "../files/refused.ts";
import type { FollowedOutput } from "./follow-output.ts";
import { openOutput } from "./open-output.ts";
import { readTail } from "./read-tail.ts";
import type { CommandEnd } from "./run-command.ts";

/** Files that a program writes into, and where its final message goes. */
export interface Outputs {
  /** Descriptors. */
  readonly stdout: number;
  readonly stderr: number;
  /** Path. */
  readonly message: string;
}

/** How much of a final message the reply holds, from its end. */
export const keptBytes = 1024 * 1024;
const keptErrorBytes = 16 * 1024;

/**
 * The reply of a program that has ended. When its preset finds no event in stdout, stdout is the message as it is, such
 * as why the program could not begin. The preset may still name the problem.
 */
export async function readReply(
  outputs: Outputs,
  end: CommandEnd,
  followed: Pick<FollowedOutput, "finish">,
): Promise<Reply> {
  const exitCode = end.exitCode ?? 128 + (end.signal === null ? 0 : constants.signals[end.signal]);
  const stderr = readTail(outputs.stderr, keptErrorBytes);
  const { reader, isStream } = await followed.finish();
  const reading = reader?.end({ exitCode, stderr, now: Date.now() });
  const { usage = {}, problem = null, denials, claim } = reading ?? {};
  return {
    text: isStream ? keepMessage(outputs.message, reading?.text ?? "") : readTail(outputs.stdout, keptBytes),
    stderr,
    exitCode,
    ended: end.ended,
    ...(end.limit !== undefined && { limit: end.limit }),
    ...(Object.keys(usage).length > 0 && { usage }),
    ...(problem !== null && { problem }),
    ...(denials !== undefined && { denials }),
    ...(claim !== undefined && { claim }),
  };
}

/** Write a message, and read its end like that of a program without events. */
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
