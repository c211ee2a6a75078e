import { commandSink } from "./commands.ts";
import { commitSink } from "./commit-message.ts";
import { executorSink } from "./executor-process.ts";
import { fileNamesSink } from "./file-names.ts";
import { answerSink, descriptionSink } from "./forge-texts.ts";
import { htmlSink } from "./html-page.ts";
import { planFailureSink } from "./plan-failure.ts";
import { planPullRequestSink } from "./plan-pull-request.ts";
import { planRequestSink } from "./plan-request.ts";
import { memberLogSink, progressSink } from "./progress-log.ts";
import { promptSink } from "./prompts.ts";
import { yamlSink } from "./recovery-yaml.ts";
import { messageSink, reporterSink } from "./reporters.ts";
import { journalSink, stateSink } from "./saved-state.ts";
import { settingsSink } from "./settings-files.ts";
import type { Sink } from "./sink.ts";
import { stuckReportSink } from "./stuck-report.ts";
import { summarySink } from "./summary.ts";

export const sinks: readonly Sink[] = [
  planFailureSink,
  planRequestSink,
  planPullRequestSink,
  answerSink,
  descriptionSink,
  progressSink,
  memberLogSink,
  summarySink,
  stuckReportSink,
  htmlSink,
  stateSink,
  journalSink,
  yamlSink,
  settingsSink,
  promptSink,
  reporterSink,
  messageSink,
  commandSink,
  fileNamesSink,
  executorSink,
  commitSink,
];
