import { journalVersion } from "../../src/adapters/journal/journal-segment.ts";
import { Policy } from "../../src/model/policy.ts";

export const sampleHeader = {
  ...{ v: journalVersion, run: 1, segment: 1, after: null, pid: 1, pidStart: null, host: "here", boot: null, at: 0 },
  ...{ planHash: "", policy: Policy.parse({}), open: 1 },
};
