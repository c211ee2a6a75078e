import type { z } from "zod";
import type { Done, Forge, Hindered, Refused } from "../../ports/forge.ts";
import { standForm } from "./answer-forms.ts";
import type { Asker } from "./ask.ts";
import { askFor, type RepositoryName } from "./fetch-look.ts";
import { autoMergeMutation, readyMutation, standQuery, updateMutation } from "./queries.ts";

type Stand = z.infer<typeof standForm>["repository"]["pullRequest"];
/** What a change asks for; null where it is there already. */
type Change = (stand: Stand) => { readonly mutation: string; readonly variables: object } | Refused | null;

/** Changes of a pull request itself. Each looks first whether it is there already. */
export function changesOf(
  asker: Asker,
  repository: RepositoryName,
): Pick<Forge, "updateBranch" | "markReady" | "enableAutoMerge"> {
  const change = async (number: number, ask: Change, signal: AbortSignal): Promise<Done | Hindered | Refused> => {
    const answer = await askFor(
      asker,
      { query: standQuery, form: standForm, variables: { ...repository, number } },
      signal,
    );
    if (answer.kind !== "form") return answer;
    const asked = ask(answer.form.repository.pullRequest);
    if (asked === null) return { kind: "done" };
    if ("kind" in asked) return asked;
    const sent = await asker.query(asked.mutation, asked.variables, signal);
    return sent.kind === "data" ? { kind: "done" } : sent;
  };
  return {
    updateBranch: (number, head, signal) =>
      change(
        number,
        // A branch that went on from there was updated by an earlier try, or moved, which the next look tells.
        ({ id, headRefOid, mergeStateStatus }) =>
          headRefOid === head && mergeStateStatus === "BEHIND"
            ? { mutation: updateMutation, variables: { id, head } }
            : null,
        signal,
      ),
    markReady: (number, signal) =>
      change(number, ({ id, isDraft }) => (isDraft ? { mutation: readyMutation, variables: { id } } : null), signal),
    enableAutoMerge: ({ number, head, how }, signal) =>
      change(
        number,
        ({ id, headRefOid, autoMergeRequest }) => {
          if (headRefOid !== head) return movedBy(headRefOid);
          if (autoMergeRequest !== null) return null;
          return { mutation: autoMergeMutation, variables: { id, head, how: how.toUpperCase() } };
        },
        signal,
      ),
  };
}

const movedBy = (head: string): Refused => ({
  ...{ kind: "refused", reason: `the branch has another last commit by now, ${head.slice(0, 12)}` },
  hint: "Look at what was pushed, then run again",
});
