export interface EngineCrash {
  readonly after: number;
  readonly when: "before" | "made" | "kept";
}

const never = new Promise<never>(() => {});
type Once<Step> = (at: number, happening: () => Promise<Step>) => Promise<Step>;

/** Stores each step as JSON, and replays the workflow after a crash. Executes every fifth step two times. */
export function memoryEngine<Step>(crashes: readonly EngineCrash[] = []) {
  const kept = new Map<number, string>();
  const script = [...crashes];
  return {
    kept: () => [...kept.values()].map((text) => JSON.parse(text) as Step),
    async run<Result>(workflow: (once: Once<Step>) => Promise<Result>): Promise<Result> {
      for (;;) {
        const crash = script.shift();
        let made = 0;
        let die = (): Promise<never> => never;
        const dead = new Promise<null>((resolve) => {
          die = () => {
            resolve(null);
            return never;
          };
        });
        const once: Once<Step> = async (at, happening) => {
          const known = kept.get(at);
          if (known !== undefined) return JSON.parse(known) as Step;
          made += 1;
          const when = crash !== undefined && made > crash.after ? crash.when : null;
          if (when === "before") return die();
          let step = await happening();
          if (at % 5 === 4) step = await happening();
          if (when === "made") return die();
          kept.set(at, JSON.stringify(step));
          if (when === "kept") return die();
          return JSON.parse(kept.get(at) as string) as Step;
        };
        const ended = await Promise.race([workflow(once).then((result) => ({ result })), dead]);
        if (ended !== null) return ended.result;
      }
    },
  };
}
