import type { LimitOverrides } from './limits.ts';

/** The projection of an account, which every gateway holds. */
export interface AccountProjection {
  readonly id: string;
  readonly name: string;
  readonly tier: 'standard' | 'partner' | 'enterprise';
  /** The request rate of the management API, for all keys and sessions of the account together. */
  readonly requestsPerMinute: number;
  /** The limits that operators have set in place of the tier's; absent in projections of older releases. */
  readonly limits?: LimitOverrides;
  readonly sandboxLimits?: LimitOverrides;
}
