const looked = 4096;

const stops: readonly RegExp[] = [
  /\b(?:need|needs|require|requires|await|awaiting|request|grant|give me|waiting for|without)\b[^.\n]{0,60}\b(?:permissions?|approval|access|authorization)\b/i,
  /\b(?:permissions?|approval|access)\b[^.\n]{0,40}\b(?:denied|refused|needed|required|missing|not granted|rejected|withheld)\b/i,
  /\b(?:not|n't|never|isn't|wasn't) (?:been |be )?(?:allowed|permitted|authorized|able)\b/i,
  /\b(?:can|could)(?:not|n't| not)\b[^.\n]{0,60}\b(?:continue|proceed|go on|complete|finish|write|edit|create|run|execute|do|change|save)\b/i,
  /\bunable to\b|\b(?:blocked|prevented|stopped) (?:by|from)\b/i,
  /^\W{0,4}BLOCKED:/m,
];

export const saysStopped = (message: string): boolean => {
  const end = message.slice(-looked);
  return stops.some((form) => form.test(end));
};
