import type { buildConnector } from 'undici';
import type { OwnEndpoints } from '../http/own-endpoints.ts';

export interface VerificationSettings {
  /** Whether files may be on private networks. */
  readonly allowPrivateNetworks: boolean;
  /** Where none of them leads, whatever its address; absent: nowhere. */
  readonly ownEndpoints?: OwnEndpoints;
  /** The exchange's name as an advertising system. */
  readonly exchangeDomain: string;
  /** The exchange's id at the Trustworthy Accountability Group; null: none. */
  readonly certificationId: string | null;
  /** For one answer, from the first byte asked to the last one read. */
  readonly fetchMs: number;
  readonly maxFileBytes: number;
  /** Opens connections in the system's place. */
  readonly connect?: buildConnector.connector;
}

export const DEFAULT_VERIFICATION_LIMITS = { fetchMs: 10_000, maxFileBytes: 2 * 1024 * 1024 } as const;
