import { renderRunReport } from "../../../wording/render-run-report.ts";
import { readStatus, type StatusOptions } from "./read-status.ts";

/**
 * A run as markdown, for the page of a job or a pull request.
 *
 * @param folder Folder of the spec.
 * @throws What `readStatus` throws.
 */
export const exportSummary = (folder: string, options: StatusOptions = {}): string =>
  renderRunReport(readStatus(folder, options));
