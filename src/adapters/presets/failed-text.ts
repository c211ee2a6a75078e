/**
 * The final message of a turn that ended in an error, whatever the agent had said before: what the error says, in one
 * line, so that no line of it is a signal.
 */
export const failedText = (message: string | null): string =>
  message === null ? "" : `Error: ${message.split(/\s+/).join(" ").trim()}`;
