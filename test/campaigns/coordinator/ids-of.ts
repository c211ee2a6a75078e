/** Ids of the tasks of a plan, each of which has its id in its title. */
export const idsOf = (plan: string): string[] =>
  [...plan.matchAll(/^ *[-*] \[[ x]\] \**([A-Z]*[\d.]+[a-z]?)\b/gm)].map(([, id = ""]) => id);
