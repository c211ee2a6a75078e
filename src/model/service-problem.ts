import * as z from "zod";

/**
 * What keeps an executor from working, whatever the task. `rate-limit` and `offline` pass by themselves; `auth` and
 * `permission` need a person.
 */
export const serviceKinds = ["rate-limit", "offline", "auth", "permission"] as const;

/** A trouble of the executor itself, told from its exit code, its stderr or a structured result; never from prose. */
export const ServiceProblem = z.object({
  kind: z.enum([...serviceKinds, "context-exhausted"]),
  /** What it said, one line. */
  message: z.string(),
  /** When it is over, in milliseconds since 1970, where that was said. */
  until: z.number().optional(),
});
export type ServiceProblem = z.infer<typeof ServiceProblem>;

/** Whether it is the executor that cannot work, rather than the task that was not done. */
export const isServiceKind = (kind: unknown): boolean => serviceKinds.some((each) => each === kind);
