import { RunRecord } from "../../src/model/record.ts";

type Option = { readonly options?: readonly Option[]; readonly shape?: { readonly type: { readonly value: string } } };

export function recordKinds(of: Option = RunRecord as unknown as Option): readonly string[] {
  return of.shape === undefined
    ? [...new Set((of.options ?? []).flatMap((option) => recordKinds(option)))]
    : [of.shape.type.value];
}
