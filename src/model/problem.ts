/** Something a plan says that a run cannot follow, or that its author should know. */
export interface Problem {
  /** Kebab-case name of the rule, listed in docs/formats.md. */
  readonly rule: string;
  /** An error stops a run before it starts; a warning does not. */
  readonly severity: "error" | "warning";
  /** Counted from 1. */
  readonly line: number;
  readonly message: string;
  /** One sentence on what to do. */
  readonly hint: string;
}
