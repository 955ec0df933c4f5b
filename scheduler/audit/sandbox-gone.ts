/** The parts of the sandbox that may be deleted and that no check counts as lost. */
export interface DeletedSandboxData {
  /**
   * The sources whose sandbox was reset, as `<scope>:<id>`: earlier figures are swept (jobs/sweep-sandbox.ts), on their
   * side alone.
   */
  readonly reset: ReadonlySet<string>;
  /** Sandbox books from before this UTC day are past their retention (aged-kinds.ts), those of the platform too. */
  readonly before: string;
}
