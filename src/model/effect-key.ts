import * as z from "zod";

/** What names the request of an effect: its key, and the task it is about. */
export const onTask = z.object({ key: z.string(), task: z.string() });
/** The key alone, where it is about the run. */
export const onRun = z.object({ key: z.string() });
