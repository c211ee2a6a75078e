import { describe, expect, it } from "vitest";
import { rspecJson } from "../../src/digest/readers/rspec.ts";

const exampleOf = (name: string, status: string, error?: { class: string; message: string }) => ({
  id: "./spec/calc_spec.rb[1:1]",
  description: name,
  full_description: `Calc ${name}`,
  status,
  file_path: "./spec/calc_spec.rb",
  line_number: 6,
  run_time: 0.01,
  pending_message: null,
  ...(error && { exception: { ...error, backtrace: ["/gems/rspec.rb:1:in `x'"] } }),
});

const report = {
  version: "3.12.0",
  messages: [
    "\nAn error occurred while loading ./spec/broken_spec.rb.\nFailure/Error:\n  RSpec.describe Missing do\n  end\n\nNameError:\n  uninitialized constant Missing\n# ./spec/broken_spec.rb:1:in `<top (required)>'\n",
  ],
  examples: [
    exampleOf("adds", "failed", {
      class: "RSpec::Expectations::ExpectationNotMetError",
      message: "\nexpected: 3\n     got: -1\n\n(compared using ==)\n",
    }),
    exampleOf("raises", "failed", { class: "NoMethodError", message: "undefined method `missing' for nil:NilClass" }),
    exampleOf("works", "passed"),
    exampleOf("is later", "pending"),
  ],
  summary: {
    duration: 0.1,
    example_count: 4,
    failure_count: 2,
    pending_count: 1,
    errors_outside_of_examples_count: 1,
  },
};

const read = (value: unknown) => {
  const reader = rspecJson.open();
  reader.json?.(value);
  return reader.end();
};

describe("the report of RSpec in JSON", () => {
  it("names examples as the text output does", () => {
    expect(read(report)).toEqual({
      failed: 3,
      ran: 3,
      skipped: 1,
      findings: [
        {
          id: "Calc adds",
          file: "spec/calc_spec.rb",
          line: 6,
          message: "expected: 3, got: -1",
          expected: "3",
          actual: "-1",
        },
        {
          id: "Calc raises",
          file: "spec/calc_spec.rb",
          line: 6,
          message: "NoMethodError: undefined method `missing' for nil:NilClass",
        },
        {
          id: "./spec/broken_spec.rb",
          file: "spec/broken_spec.rb",
          line: 1,
          message: "NameError: uninitialized constant Missing",
        },
      ],
    });
  });

  it.each([null, [], {}, { examples: {} }, { examples: [3], summary: {} }, { examples: [], summary: null }])(
    "is none if it is %j",
    (value) => {
      expect(read(value)).toBeNull();
    },
  );
});
