import { InputError } from "../../model/errors.ts";

/** The refusal to write a report to a path. @param path As it was asked for. */
export const reportOutside = (path: string): InputError =>
  new InputError(`Cannot write the stuck report to \`${path}\`, expected a file inside the workspace`, {
    code: "report-outside",
    hint: "Name a path of the workspace, as in `reports/stuck-report.md`.",
  });
