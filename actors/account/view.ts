import type { OwnLimits } from './limits.ts';

/** What every gateway knows of an account. */
export interface AccountView {
  readonly id: string;
  readonly name: string;
  readonly tier: 'standard' | 'partner' | 'enterprise';
  /** Of the management API, for all keys and sessions of the account together. */
  readonly requestsPerMinute: number;
  /** What operators have set in the place of the tier's; absent of one that an older program has told. */
  readonly limits?: OwnLimits;
  readonly sandboxLimits?: OwnLimits;
}
