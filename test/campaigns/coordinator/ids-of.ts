/** Ids of the tasks of a plan whose ids are written. */
export const idsOf = (plan: string): string[] =>
  [...plan.matchAll(/^ *[-*] \[[ x]\] \**([A-Z]*[\d.]+[a-z]?)\b/gm)].map(([, id = ""]) => id);
