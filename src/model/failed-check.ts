import * as z from "zod";

/** Code points kept of each text of a failed check. */
export const longestText = 500;

/** One check that failed, as a tool reports it: a test, a compiler error, a finding of a linter. Texts are untrusted. */
export const FailedCheck = z.object({
  /** The tool that says so, such as `pytest`; `junit` for a report in its XML. */
  tool: z.string(),
  /**
   * What names it among the checks of its tool: the same in the next run as long as it fails, so that it holds no line
   * number, duration or address.
   */
  id: z.string(),
  /** The file it is about, as the tool writes its path; null when it names none. */
  file: z.string().nullable(),
  /** Counted from 1. */
  line: z.int().nullable(),
  /** What is wrong: one line, never empty. */
  message: z.string(),
  /** What was expected and what was found instead, where the tool tells them apart. */
  expected: z.string().optional(),
  actual: z.string().optional(),
});
export type FailedCheck = z.infer<typeof FailedCheck>;

/** How failed checks were found in an output. */
export const DigestSource = z.enum([
  /** A tool that is known has named them. */
  "tools",
  /** A known tool, or a line that counts, has said how many they are, and nobody has named them. */
  "count",
  /** Lines that the last run of the same command that passed did not print. */
  "passing-run",
  /** Lines that the last run of the same command, which failed, did not print. */
  "failing-run",
  /** The last line that was printed. */
  "last-line",
  /** Nothing was printed. */
  "nothing",
]);
export type DigestSource = z.infer<typeof DigestSource>;

/** What the output of a command says of what failed. Plain JSON of bounded size. */
export const OutputDigest = z.object({
  source: DigestSource,
  /** Those that are listed, by tool and id; no two have the same tool and id. */
  failures: z.array(FailedCheck),
  /** How many failed in all, those that are not listed included; null when nobody says. */
  failed: z.int().min(0).nullable(),
  /** How many checks were run, as far as tools say; null when they do not. */
  ran: z.int().min(0).nullable(),
  /** Where the output begins and ends; `tail` is empty when `head` is all of it. */
  head: z.string(),
  tail: z.string(),
});
export type OutputDigest = z.infer<typeof OutputDigest>;
