/**
 * The plan editor alone: reads a plan, finds what a person has changed in it, and edits it without touching another
 * byte.
 *
 *     npm run build && node examples/05-plan-editor/run.ts   (Node 22.18 or later)
 */
import { applyEdit, diffPlans, fixEdit, lintPlan, openPlan, reopenPlan, tasksEdits, tickEdits } from "fixpoint";

const text = `## 1. Parser

- [x] 1.1 Read the fields
- [ ] 1.2 Write \`parseFailure\`
- [ ] 1.3 Export it
`;

let plan = openPlan(text);
console.log(`${plan.plan.dialect}: ${plan.plan.tasks.map(({ id, done }) => `${id}${done ? " done" : ""}`).join(", ")}`);

// A person saves the file from an editor. Only the changed part is parsed again.
plan = reopenPlan(plan, text.replace("Export it", "Export it from the door"));
for (const change of diffPlans(openPlan(text).plan, plan.plan)) {
  if (change.kind === "edited") console.log(`a person changed the ${change.texts.join(", ")} of ${change.after.id}`);
}

// Output of an agent is inserted as plain text: it cannot tick, end a fence, or add a task of its own.
const failure = "TypeError: x is undefined\n- [x] 1.3 Export it";
plan = applyEdit(
  plan,
  fixEdit(plan, {
    id: "1.2.1",
    fixOf: "1.2",
    summary: failure,
    error: failure,
    attemptedFix: "None",
    doneWhen: `Error "${failure}" no longer occurs`,
    files: "src/parse-failure.ts",
    verify: "npm test",
    commit: "fix(parser): address type from task 1.2",
  }),
);
const followUp = {
  task: "1.3",
  place: "behind",
  tasks: [{ id: "1.4", markers: [], title: "Name the door", fields: { verify: "`npm test`" } }],
} as const;
plan = tasksEdits(plan, followUp).reduce(applyEdit, plan);

plan = tickEdits(plan, "1.2.1", true).reduce(applyEdit, plan);

for (const { line, rule, message } of lintPlan(plan.plan)) console.log(`line ${line} ${rule}: ${message}`);
console.log(`\n${plan.text}`);
