import type { RunOptions } from "../run-options.ts";
import { findCommands, findStart } from "../start/find-start.ts";
import { consentQuestion, isAgreed, type OwnerQuestion } from "./agree.ts";

/** What the owner of a spec would be asked by a start. */
export interface FirstQuestion extends OwnerQuestion {
  /** Whether the start is refused without a yes; else it ends at a gate. */
  readonly refuses: boolean;
}

/**
 * What a start with these options would ask its owner before it delegates anything; null when it would ask nothing.
 * Nothing is written. A later start that is given the hash with `accept` asks it no more.
 *
 * @throws What that start would throw before it asks.
 */
export async function firstQuestion(options: RunOptions): Promise<FirstQuestion | null> {
  const { data, opened, origin, documents, isComplete } = await findStart(options);
  if (isComplete) return null;
  const { agreed } = await findCommands({ opened, origin, documents });
  const { question, isFirst } = consentQuestion({ data, plan: opened.plan, origin, verify: agreed, options });
  return question === null || (await isAgreed(question, isFirst, { ...options, confirm: undefined }))
    ? null
    : { ...question, refuses: isFirst };
}
