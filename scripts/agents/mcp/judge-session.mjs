export function judgeSession(kase, { status, transcript, exitCode, isStopped, left, seconds }, expected) {
  const { outcome, iterations } = status;
  const kind = `${outcome}, ${iterations} attempt${iterations === 1 ? "" : "s"}`;
  const said = transcript.map((each) => each.said);
  const reports = said.filter(({ tool }) => tool !== undefined && /report_result$/.test(tool.name)).length;
  const problems = [];
  if (kind !== expected.kind) problems.push(`expected ${expected.kind}`);
  const reminders = transcript.at(-1)?.reminders ?? 0;
  if (reports !== (kase.isReminded === true ? 0 : iterations)) problems.push(`${reports} reports`);
  if (reminders !== (kase.isReminded === true ? 1 : 0)) problems.push(`reminded ${reminders} times`);
  if (seconds > (kase.seconds ?? seconds)) problems.push(`it took ${seconds} s`);
  if (isStopped) problems.push("the tool did not end");
  else if (exitCode !== 0) problems.push(`the exit code of the tool is ${exitCode}`);
  if (said.at(-1)?.tool !== undefined) problems.push("the agent was not done");
  const found = kase.findProblem?.(transcript) ?? null;
  if (found !== null) problems.push(found);
  if (left.length > 0) problems.push(`${left.length} processes left`);
  if (expected.cannot === undefined) return { kind, problems };
  if (problems.length === 0) return { kind, problems: ["the tool passes this case now: remove `cannot`"] };
  return { kind, problems: [], cannot: expected.cannot };
}
