import type { LimitOverrides } from './limits.ts';

/** What every gateway knows of an account. */
export interface AccountProjection {
  readonly id: string;
  readonly name: string;
  readonly tier: 'standard' | 'partner' | 'enterprise';
  /** Of the management API, for all keys and sessions of the account together. */
  readonly requestsPerMinute: number;
  /** What operators have set in the place of the tier's; absent of one that an older program has told. */
  readonly limits?: LimitOverrides;
  readonly sandboxLimits?: LimitOverrides;
}
