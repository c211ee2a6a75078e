import * as z from "zod";

/** A phase of a plan that is about a pull request, of which a run does nothing but its tasks. */
export const PullRequestPhase = z.object({
  /** As its heading has it. */
  title: z.string(),
  /** How many it has. */
  tasks: z.int().min(0),
  open: z.array(z.string()),
});
export type PullRequestPhase = z.infer<typeof PullRequestPhase>;
