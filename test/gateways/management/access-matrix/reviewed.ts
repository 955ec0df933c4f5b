import type { Reach } from '#gateways/management/routing/reach';
import type { Access } from '#gateways/management/routing/route';

/**
 * What a reviewer has to see before more callers reach more, and so what a declaration alone does not change. A new
 * route needs no line here unless it is public, or reaches beyond the context of its caller.
 */

/** All routes that need no credentials. */
export const publicRoutes: readonly string[] = [
  'GET /api/health',
  'GET /api/openapi.json',
  'GET /api/schemas/strategy.json',
  'GET /sellers.json',
  'GET /api/exchange',
  'GET /api/regions',
  'GET /api/currency-rates',
  'POST /api/auth/login',
  'POST /api/auth/logout',
  'POST /api/scout/events',
  'POST /api/invitations/look-up',
  'POST /api/invitations/accept',
];

/** Routes that begin so are for these callers alone, but for those that are public. */
export const closedRoutes: readonly (readonly [routes: RegExp, access: Access])[] = [
  [/^\w+ \/api\/(users|accounts|adjustments|audit-trail|dead-letters|exchange|jobs|statements)\b/, 'operator'],
  [/^\w+ \/api\/metrics\/(blocked|invalid)$/, 'operator'],
  [/^(PUT|PATCH) \/api\/fees\b/, 'operator'],
  [/^\w+ \/api\/(keys|invitations)\b/, 'session'],
  [/^\w+ \/api\/(supply|demand)\/sources\/:id\/(key|users)\b/, 'session'],
  [/^\w+ \/api\/auth\b/, 'login'],
];

/**
 * The reach of all routes that reach beyond the context of their caller, and of those that keep refusing some calls.
 */
export const reviewedReach: Readonly<Record<string, Reach>> = {
  'GET /api/supply/pools/:pool_id': { environments: 'every', partners: 'every' },
  'GET /api/supply/pools/:pool_id/stats': { environments: 'every', partners: 'every' },
  'PUT /api/supply/pools/:pool_id': { environments: 'every', partners: 'every', refused: ['sandbox-key'] },
  'PATCH /api/supply/pools/:pool_id': { environments: 'every', partners: 'every', refused: ['sandbox-key'] },
  'POST /api/partners': { refused: ['partner'] },
  'GET /api/partners/:id': { environments: 'every' },
  'PUT /api/partners/:id': { environments: 'every', refused: ['sandbox-key'] },
  'PATCH /api/partners/:id': { environments: 'every', refused: ['sandbox-key'] },
  'PUT /api/account': { refused: ['sandbox', 'partner'] },
  'PATCH /api/account': { refused: ['sandbox', 'partner'] },
  'GET /api/metrics/publisher/:publisher_id': { environments: 'of-key' },
  'GET /api/metrics/dsp/:dsp_id': { environments: 'of-key' },
  'GET /api/auctions/:id': { environments: 'same', operators: 'every-account' },
  'GET /api/creatives/:id': { operators: 'every-account' },
  'GET /api/creatives/:id/preview': { operators: 'every-account' },
  'POST /api/creatives/:id/block': { operators: 'every-account' },
  'POST /api/creatives/:id/approve': { operators: 'every-account' },
  'DELETE /api/creatives/:id/decision': { operators: 'every-account' },
  'POST /api/creatives/:id/report': { operators: 'every-account' },
  'POST /api/creatives/rules': { operators: 'every-account', unreached: 'VALIDATION_ERROR' },
  'DELETE /api/creatives/rules/:rule_id': { operators: 'every-account' },
  'PUT /api/creatives/policies': { operators: 'every-account', unreached: 'VALIDATION_ERROR' },
  'GET /api/fees/:source_id': { operators: 'every-account' },
  'GET /api/supply/sources/:id/billing': { operators: 'every-account' },
  'GET /api/demand/sources/:id/billing': { operators: 'every-account' },
  'POST /api/keys/:id/rotate': { environments: 'every' },
  'DELETE /api/keys/:id': { environments: 'every' },
  'POST /api/invitations/:id/renew': { operators: 'every-account' },
  'DELETE /api/invitations/:id': { operators: 'every-account' },
};

/**
 * Whether callers of another environment, for another partner or of another account reach what the rule keeps from
 * them.
 */
export function isWider({ environments, partners, operators }: Reach): boolean {
  return (environments ?? 'same') !== 'same' || partners !== undefined || operators !== undefined;
}
