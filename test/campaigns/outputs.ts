import type { Campaign } from "./campaign.ts";
import { fuzzTrials } from "./fuzz-trials.ts";
import { checkReply } from "./outputs/check-reply.ts";
import { checkStream } from "./outputs/check-stream.ts";
import { randomReply, randomStream } from "./outputs/random-output.ts";

export const outputsCampaign: Campaign = {
  name: "outputs",
  about: "replies and streams of executors, torn and mixed with hostile strings, read by every parser of replies",
  counts: "inputs",
  trials: [
    fuzzTrials({ name: "replies", full: 1_500_000, short: 2000, make: randomReply, check: checkReply }),
    fuzzTrials({ name: "streams", full: 500_000, short: 1000, make: randomStream, check: checkStream }),
  ],
};
