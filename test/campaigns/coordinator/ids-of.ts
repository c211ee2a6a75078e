/** Requires a plan whose titles contain the ids. */
export const idsOf = (plan: string): string[] =>
  [...plan.matchAll(/^ *[-*] \[[ x]\] \**([A-Z]*[\d.]+[a-z]?)\b/gm)].map(([, id = ""]) => id);
