import type { DamagedRecord } from "../../model/status.ts";

/** What people are told of a record that does not count though it was recorded. */
export const tellDamage = ({ path, record }: DamagedRecord): string =>
  `The last record of the journal is damaged: record ${record} in \`${path}\` does not count, though it was written whole`;
