import type { OwnEndpoints } from '../http/own-endpoints.ts';
export interface DeliverySettings {
  /** Whether receivers may have loopback, private or link-local addresses. */
  readonly allowPrivateNetworks: boolean;
  /** Endpoints of the exchange itself, which no webhook may lead to, whatever their address; absent: none. */
  readonly ownEndpoints?: OwnEndpoints;
  /** Time in ms in which a receiver must acknowledge (specification, "Events"). */
  readonly acknowledgeMs: number;
  /** Due deliveries are looked up at this interval. */
  readonly pollMs: number;
  /** Deliveries in flight to one webhook at most, each of another resource. */
  readonly atOncePerWebhook: number;
  /** Connections to one origin at most, over all webhooks. */
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
