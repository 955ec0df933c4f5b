/** What of the sandbox may be gone: nobody counts that as lost. */
export interface DeletedSandboxData {
  /** Sources whose sandbox was reset, as `<scope>:<id>`: what it held before is swept (jobs/sweep-sandbox.ts), on their side alone. */
  readonly reset: ReadonlySet<string>;
  /** Books of before this UTC day are too old to be kept (aged-kinds.ts), the platform's too. */
  readonly before: string;
}
