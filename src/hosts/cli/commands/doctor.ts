import { resolve } from "node:path";
import { countOf } from "../../../model/count-of.ts";
import { exitCodes } from "../../../model/event.ts";
import { escapeText } from "../../../wording/escape-text.ts";
import type { Finding } from "../../node/doctor/finding.ts";
import { findSpec } from "../../node/find-spec.ts";
import { callAddress } from "../call-address.ts";
import type { CliCommand } from "../cli-command.ts";
import { examine } from "../examine.ts";
import { readRunFlags, runFlags } from "../options/run-flags.ts";
import { renderJson } from "../render-json.ts";

const who = ["--executor", "--exec", "--executor-args", "--permissions", "--cwd"];

/** What would keep a run from working here, and what mends it. Exit code 1 when something certainly does. */
export const doctor: CliCommand = {
  options: [
    { flags: "--json", summary: "one JSON object" },
    ...runFlags.filter(({ flags }) => who.includes(flags.split(" ")[0] ?? "")),
  ],
  example: "fixpoint doctor my-feature --executor claude",
  async run(given, values, surroundings) {
    const { terminal, folder } = surroundings;
    const flags = readRunFlags(values);
    const spec = given === undefined ? null : findSpec(given, resolve(folder, flags.cwd ?? "."));
    // Asked for when programs are started.
    const { signal } = surroundings;
    const findings = await examine({ spec, given: flags, folder, address: callAddress(spec, values, folder) }, signal);
    if (signal.aborted) return exitCodes.interrupted;
    const errors = findings.filter(({ level }) => level === "error").length;
    const warnings = findings.filter(({ level }) => level === "warning").length;
    if (values["json"] === true) terminal.out(`${renderJson({ errors, warnings, findings })}\n`);
    else {
      for (const finding of findings) terminal.out(renderFinding(finding));
      terminal.out(`${countOf(errors, "error", "errors")}, ${countOf(warnings, "warning", "warnings")}\n`);
    }
    return errors === 0 ? 0 : 1;
  },
};

const indent = " ".repeat("warning  ".length);

const renderFinding = ({ level, what, remedy }: Finding): string =>
  `${level.padEnd(indent.length)}${escapeText(what)}\n${(remedy?.split("\n") ?? []).map((line) => `${indent}${escapeText(line)}\n`).join("")}`;
