/** One thing that every implementation of a port, or every host, must do. Works with any test runner. */
export interface Contract<Subject> {
  /** A sentence in the present about what the subject does. */
  readonly name: string;
  /** Rejects when the subject does not. */
  run(subject: Subject): Promise<void>;
}
