import { createHash } from 'node:crypto';
import Type, { type Static } from 'typebox';
import { Uuid } from '#actors/api-schemas';
import { shownProperties, toApi } from '#actors/field-table';
import { webhookFields } from '#actors/webhook/fields';
import type { WebhookState } from '#actors/webhook/reduce';
import { webhook } from '#actors/webhook/webhook';
import { parseUrl } from '#exchange/parse-url';
import { ApiError } from '#gateways/errors';
import { namesForbiddenAddress } from '#gateways/http/address-guard';
import { loadVisible } from '../../changes/load-visible.ts';
import type { ManagementDeps } from '../../deps.ts';
import type { Caller } from '../../identity/caller.ts';

/** A webhook as the API shows it; the signing secret is shown when it is created, and never again. */
export const Webhook = Type.Object(shownProperties(webhookFields), { title: 'Webhook' });
export type Webhook = Static<typeof Webhook>;

export const WebhookParams = Type.Object({ id: Uuid });

export function showWebhook(id: string, state: WebhookState): Webhook {
  return toApi(webhookFields, state, { id });
}

export function loadWebhook(deps: ManagementDeps, id: string, caller: Caller): Promise<WebhookState> {
  return loadVisible<WebhookState>(deps, webhook.kind, id, caller.scope, 'The webhook');
}

/**
 * The largest number of webhooks of an account, live and in the sandbox each, since each event is sent to all of them.
 */
export const mostWebhooks = 100;

/**
 * The digest of a URL (SHA-256, hex), as the reserved name by which no two webhooks of an account, live or sandbox,
 * have the same URL.
 */
export function urlDigest(url: string): string {
  return createHash('sha256').update(url).digest('hex');
}

/** `localhost` and all names below it always mean loopback (RFC 6761 §6.3). */
const loopbackName = /^(.+\.)?localhost\.?$/;

/**
 * The URL in its stored form: http or https, without credentials and fragment. Where private networks are not allowed,
 * a host that is plainly in one is refused here; the address of a name is checked at each call.
 * @throws ApiError VALIDATION_ERROR
 */
export function normalWebhookUrl(given: string, allowPrivateNetworks: boolean): string {
  const url = parseUrl(given);
  if (url === null || !/^https?:$/.test(url.protocol)) throw wrongUrl('must be an http or https URL');
  if (url.username !== '' || url.password !== '') throw wrongUrl('must hold no user name and no password');
  if (!allowPrivateNetworks && (namesForbiddenAddress(url) || loopbackName.test(url.hostname))) {
    throw wrongUrl('must be on the public Internet');
  }
  url.hash = '';
  return url.href;
}

function wrongUrl(demand: string): ApiError {
  return new ApiError('VALIDATION_ERROR', `url ${demand}.`, 'url');
}
