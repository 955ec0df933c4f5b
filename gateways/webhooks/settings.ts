import type { OwnEndpoints } from '../http/own-endpoints.ts';
export interface DeliverySettings {
  /** Whether receivers may be in private networks. */
  readonly allowPrivateNetworks: boolean;
  /** Where none of them leads, whatever its address; absent: nowhere. */
  readonly ownEndpoints?: OwnEndpoints;
  /** How long a receiver has to acknowledge (specification, "Events"). */
  readonly acknowledgeMs: number;
  /** How often what is due is looked for. */
  readonly pollMs: number;
  /** Deliveries under way to one webhook, each about another resource. */
  readonly atOncePerWebhook: number;
  /** Connections to one origin, of whichever webhooks. */
  readonly atOncePerOrigin: number;
  readonly atOnce: number;
}

export const DEFAULT_DELIVERY_SETTINGS: DeliverySettings = {
  allowPrivateNetworks: false,
  acknowledgeMs: 5_000,
  pollMs: 250,
  atOncePerWebhook: 4,
  atOncePerOrigin: 64,
  atOnce: 2_000,
};
