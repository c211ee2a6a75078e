import { lintProblem, type Problem, type Rule } from "../model/rule.ts";

type Texts = readonly [message: string, hint: string];

/**
 * Create a function that reports problems of some rules.
 *
 * @param texts For each rule, a function that writes message and hint from the values found.
 */
export const findingBy =
  <Written extends Partial<Record<Rule, (...values: never[]) => Texts>>>(texts: Written) =>
  <Name extends keyof Written & Rule>(
    rule: Name,
    line: number,
    ...values: Parameters<NonNullable<Written[Name]>>
  ): Problem => {
    const write = texts[rule] as (...values: Parameters<NonNullable<Written[Name]>>) => Texts;
    return lintProblem(rule, line, ...write(...values));
  };
