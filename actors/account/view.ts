/** What every gateway knows of an account. */
export interface AccountView {
  readonly id: string;
  readonly name: string;
  readonly tier: 'standard' | 'partner' | 'enterprise';
  /** Of the management API, for all keys and sessions of the account together. */
  readonly requestsPerMinute: number;
}
