import type { Answer, EffectInput } from "../model/effect.ts";
import { attemptOf } from "../model/reply.ts";
import { renderStuckReport } from "../wording/report/render-stuck-report.ts";
import { stuckReportOf } from "./stuck-report-of.ts";
import type { WholePorts } from "./with-memory.ts";

/**
 * Write a report on a stuck task for a person. A start that only repeats an unanswered question keeps the existing
 * report, since it knows less about the attempts.
 */
export async function writeStuckReport(
  ports: WholePorts,
  input: EffectInput<"writeStuckReport">,
): Promise<Answer<"writeStuckReport">> {
  const { attempts, documents, plan } = ports;
  const standing = attempts.reported().get(input.root);
  const isAsked = input.escalation.asked && !attempts.knows(attemptOf(input.key));
  const path =
    isAsked && standing !== undefined
      ? standing
      : await plan.exclusively(async () => {
          return documents.report(renderStuckReport(await stuckReportOf(ports, input)), input.path);
        });
  return { kind: "written", path };
}
