import { InputError } from "../../model/errors.ts";

/** The refusal to write a report to a path. @param path As it was asked for. */
export const reportOutside = (path: string): InputError =>
  new InputError(
    `Cannot write the stuck report to \`${path}\`, expected a file inside the workspace, and in no .git or .fixpoint`,
    {
      code: "report-outside",
      hint: "Name a path of the workspace, as in `reports/stuck-report.md`.",
    },
  );

/** Whether a path lies in what is git's own or fixpoint's own, at any depth. Some file systems tell no cases apart. */
export const isGuarded = (way: string): boolean =>
  way.split(/[\\/]/).some((name) => [".git", ".fixpoint"].includes(name.toLowerCase()));
