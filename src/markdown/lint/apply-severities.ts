import { InputError } from "../../model/errors.ts";
import { isRefused, levels, type Problem, type Rule, type RuleLevel, rules } from "../../model/rule.ts";

/** How much problems weigh, by rule. */
export type Severities = Readonly<Partial<Record<Rule, RuleLevel>>>;

/**
 * Weigh problems, and drop those of rules that are off.
 *
 * @throws {InputError} `severity-fixed`, `severity-unknown`
 */
export function applySeverities(problems: readonly Problem[], severities: Severities): Problem[] {
  checkSeverities(severities);
  return problems.flatMap((problem) => {
    const level = severities[problem.rule] ?? problem.severity;
    return level === "off" ? [] : [{ ...problem, severity: level }];
  });
}

function checkSeverities(severities: Severities): void {
  for (const [rule, level] of Object.entries(severities) as [Rule, RuleLevel][]) {
    if (!Object.hasOwn(rules, rule) || !levels.includes(level)) {
      throw new InputError(`Cannot set rule \`${rule}\` to \`${level}\`, expected a rule and ${levels.join(", ")}`, {
        code: "severity-unknown",
        hint: `Rules are ${Object.keys(rules).join(", ")}.`,
      });
    }
    if (level === "error" || !isRefused(rule)) continue;
    throw new InputError(`Cannot set rule \`${rule}\` to \`${level}\`, expected \`error\``, {
      code: "severity-fixed",
      hint: "A run refuses such a plan",
    });
  }
}
