import * as z from "zod";
import { GitMark } from "./git-evidence.ts";

/** How things stood when an attempt began, which what it has done is told from. */
export const Baseline = z.object({
  /** HEAD, abbreviated; null without a repository. */
  headBefore: z.string().nullable(),
  /** The repository; null without one. */
  mark: GitMark.nullable(),
  /** State of the files; null when it is not known. */
  fileState: z.string().nullable(),
});
export type Baseline = Readonly<z.infer<typeof Baseline>>;
