import { fileState } from "../../../adapters/file-state.ts";
import type { Start } from "./start.ts";

/** Name the states of the files in a workspace; say once when there are too many of them. */
export const watchFiles = ({ workspace, spec, guard, emit }: Pick<Start, "workspace" | "spec" | "guard" | "emit">) =>
  fileState({
    workspace,
    specFolder: spec.folder,
    programs: guard.programs,
    onTooMuch: () => emit({ type: "notice", message }),
  });

const message =
  "Below the workspace are more files than can be watched outside of git: only a task's Files tell whether it changed anything";
