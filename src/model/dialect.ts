/**
 * The tool whose manner a plan is written in. All are read alike; what each of them calls a task, a phase and a fix
 * stands in docs/formats.md.
 */
export type Dialect = "ralph-specum" | "spec-kit" | "kiro" | "openspec" | "checklist";
