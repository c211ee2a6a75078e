/** A requirement for every implementation of a port, or every host. Works with any test runner. */
export interface Contract<Subject> {
  /** A sentence in the present tense about the subject's behaviour. */
  readonly name: string;
  /** Rejects if the subject fails the requirement. */
  run(subject: Subject): Promise<void>;
}
