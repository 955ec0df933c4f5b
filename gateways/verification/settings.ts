import type { buildConnector } from 'undici';
import type { OwnEndpoints } from '../http/own-endpoints.ts';

export interface VerificationSettings {
  /** Whether files may be on loopback, private or link-local addresses. */
  readonly allowPrivateNetworks: boolean;
  /** Endpoints of the exchange itself, which no file may be fetched from, whatever their address; absent: none. */
  readonly ownEndpoints?: OwnEndpoints;
  /** The domain of the exchange as an advertising system in ads.txt. */
  readonly exchangeDomain: string;
  /** The id of the exchange at the Trustworthy Accountability Group; null: it has none. */
  readonly certificationId: string | null;
  /** Time limit in ms of one fetch, through all redirects to the last byte. */
  readonly fetchMs: number;
  readonly maxFileBytes: number;
  /** Replaces the guarded connector. */
  readonly connect?: buildConnector.connector;
}

export const DEFAULT_VERIFICATION_LIMITS = { fetchMs: 10_000, maxFileBytes: 2 * 1024 * 1024 } as const;
