import { listFindings } from "../finding-list.ts";
import { fieldsOf, listOf, numberOf, textOf } from "../json-shape.ts";
import type { LineReader, Report, ToolReader } from "../reader.ts";
import { rspec } from "./rspec.ts";
import { openRspecFailure } from "./rspec-failure.ts";

/** RSpec with its formatter for JSON. */
export const rspecJson: ToolReader = { tool: "rspec", kind: "report", open: openRspecJson };

function openRspecJson(): LineReader {
  const findings = listFindings();
  let failed = 0;
  let ran = 0;
  const addExample = (value: unknown): void => {
    const example = fieldsOf(value);
    if (example["status"] !== "failed") return;
    const reader = openRspecFailure();
    const exception = fieldsOf(example["exception"]);
    const message = textOf(exception["message"]);
    if (!textOf(exception["class"]).startsWith("RSpec::")) reader.read(`${textOf(exception["class"])}:`);
    for (const line of message.split("\n", 20)) reader.read(line);
    const { expected, actual, ...said } = reader.end() ?? { message: null };
    findings.addEach({
      id: textOf(example["full_description"]),
      file: textOf(example["file_path"]).replace(/^\.\//, "") || null,
      line: numberOf(example["line_number"]),
      message: said.message ?? "failed",
      ...(expected !== undefined && { expected }),
      ...(actual !== undefined && { actual }),
    });
  };
  return {
    read: () => {},
    report: (report: Report) => {
      const { examples, summary, messages } = report.form === "json" ? fieldsOf(report.value) : {};
      if (!Array.isArray(examples)) return;
      const { example_count, failure_count, pending_count, errors_outside_of_examples_count } = fieldsOf(summary);
      if (numberOf(failure_count) === null) return;
      failed += (numberOf(failure_count) ?? 0) + (numberOf(errors_outside_of_examples_count) ?? 0);
      ran += (numberOf(example_count) ?? 0) - (numberOf(pending_count) ?? 0);
      for (const example of examples) addExample(example);
      // What is wrong outside of examples is only told as it is printed for people.
      const outside = rspec.open();
      for (const line of listOf(messages).flatMap((message) => textOf(message).split("\n"))) outside.read(line);
      for (const finding of outside.end()?.findings ?? []) findings.add(finding);
    },
    end: () => findings.end({ failed, ran }),
  };
}
