/** By which an answer to a review comment is found again; only its source shows it. */
export const answerMarker = (task: string, comment: string): string =>
  `<!-- fixpoint:${task.replace(/[^\w.]/g, "").slice(0, 40)}${endOf(comment)}`;

/** Whether a text is an answer to a comment, given for whatever task. */
export const isAnswerTo = (text: string, comment: string): boolean =>
  text.includes("<!-- fixpoint:") && text.includes(endOf(comment));

const endOf = (comment: string): string => `:${comment.replace(/[^\w=-]/g, "")} -->`;
