import { randomUUID } from 'node:crypto';
import { routes } from '#gateways/management/routes';
import { delegateCampaign, strategyOf } from './delegate.ts';
import type { Credential, Kind, Target, World } from './world.ts';

/** What makes a request to one route a good one, so that only who asks, and for whose resource, decides. */
export interface GoodRequest {
  /** What its `:id`, or its body, names. */
  readonly kind?: Kind;
  body?(world: World, id: string, target: Target, credential: Credential): object | Promise<object>;
  query?(id: string, world: World, target: Target): string | Promise<string>;
  /**
   * Why even who may ask finds nothing (404): this world has nothing that the request could name. A fact of the test,
   * which is why no route declares it.
   */
  readonly finds?: { readonly nothing: string };
}

const unlike = () => `Name ${randomUUID()}`;
const renamed = () => ({ name: unlike() });
const supplySource = () => ({ name: unlike(), domain: 'd.example', type: 'web' });
/** An account's other resource, for what joins two. */
const beside = (target: Target): Target => (target === "other's" ? "other's" : 'own');

const ofPublisher = (id: string) => ({ scope: 'publisher', scope_id: id });
const decidedForPublisher: GoodRequest['body'] = async (world, _id, target) =>
  ofPublisher(await world.id('publisher', target));

/** What its own people do is in creatives/own-people.test.ts. */
const OTHER_SOURCES = { nothing: 'It was offered to, or decided for, another supply source.' };

/** What a source's callers find is in log-level-data.test.ts. */
const NO_FILES = { nothing: 'No log-level data is written.' };

/**
 * By `METHOD path`; where it is not here, the path alone says what `:id` is, and the body is the example of the route's
 * description.
 */
const goodRequests: Readonly<Record<string, GoodRequest>> = {
  'GET /api/audit-trail/heads': { query: () => 'day=2026-03-01' },
  'POST /api/auth/login': { body: ({ member: { email, password } }) => ({ email, password }) },
  'PUT /api/auth/password': {
    body: (world, _id, _target, credential) => {
      const { password } = world.userOf(credential);
      return { current_password: password, new_password: password };
    },
  },
  'POST /api/auth/second-factor': { body: (world, _id, _target, credential) => world.passwordOf(credential) },
  'POST /api/auth/second-factor/confirm': { body: (world, _id, _target, credential) => world.waitingCode(credential) },
  'DELETE /api/auth/second-factor': { body: (world, _id, _target, credential) => world.unusedCode(credential) },
  'POST /api/invitations': { body: () => ({ email: `${randomUUID()}@d.example`, role: 'member' }) },
  'POST /api/invitations/:id/renew': { kind: 'invitation', body: () => ({}) },
  'POST /api/invitations/look-up': { body: async (world) => ({ token: await world.invitationToken() }) },
  'POST /api/invitations/accept': {
    body: async (world) => ({ token: await world.invitationToken(), password: 'a long password' }),
  },
  'DELETE /api/users/:id/second-factor': { kind: 'guarded user' },
  'GET /api/supply/sources/:id/key': { kind: 'keyed publisher' },
  'GET /api/demand/sources/:id/key': { kind: 'keyed bidder' },
  'POST /api/keys': { body: () => ({ name: unlike(), environment: 'live' }) },
  'POST /api/users': { body: () => ({ email: `${randomUUID()}@d.example`, password: 'a long password' }) },
  'PUT /api/users/:id': { kind: 'user', body: renamed },
  'POST /api/supply/sources': { body: supplySource },
  'PUT /api/supply/sources/:id': { kind: 'publisher', body: renamed },
  'GET /api/supply/sources/:id/stored-requests/:stored_name': { kind: 'storing publisher' },
  'DELETE /api/supply/sources/:id/stored-requests/:stored_name': { kind: 'storing publisher' },
  'GET /api/supply/sources/:id/stored-imps/:stored_name': { kind: 'storing publisher' },
  'DELETE /api/supply/sources/:id/stored-imps/:stored_name': { kind: 'storing publisher' },
  'POST /api/supply/pools': { body: renamed },
  'PUT /api/supply/pools/:pool_id': { kind: 'pool', body: renamed },
  'PUT /api/supply/pools/:pool_id/assign': {
    kind: 'pool',
    body: async (world, _id, target) => ({ publisher_id: await world.id('publisher', beside(target)) }),
  },
  'POST /api/demand/sources': { body: () => ({ name: unlike(), mode: 'delegate' }) },
  'PUT /api/demand/sources/:id': { kind: 'bidder', body: renamed },
  'GET /api/demand/sources/:id/strategy': { kind: 'strategist' },
  'PATCH /api/demand/sources/:id/strategy': { kind: 'strategist', body: () => ({ default_bid: 2 }) },
  'PUT /api/demand/sources/:id/strategy': {
    kind: 'delegate',
    body: (_world, id) => strategyOf(id),
  },
  'POST /api/demand/sources/:id/strategy/backtest': {
    kind: 'delegate',
    body: (_world, id) => ({ strategy: strategyOf(id) }),
  },
  'POST /api/demand/sources/:id/strategy/simulate': {
    kind: 'delegate',
    body: (_world, id) => ({ strategy: strategyOf(id), bid_request: { id: 'try-1', imp: [{ id: '1', banner: {} }] } }),
  },
  'POST /api/campaigns': { kind: 'delegate', body: (_world, id) => delegateCampaign(id) },
  'PUT /api/campaigns/:id': { kind: 'campaign', body: () => ({ campaign_name: unlike() }) },
  'PUT /api/demand/dsp/:id/budget': { kind: 'bidder', body: () => ({ daily_budget_cents: 1 }) },
  'POST /api/creatives/rules': {
    kind: 'publisher',
    body: (_world, id) => ({ ...ofPublisher(id), subject: 'category', value: 'IAB25', decision: 'block' }),
  },
  'PUT /api/creatives/policies': { kind: 'publisher', body: (_world, id) => ({ ...ofPublisher(id), mode: 'scanned' }) },
  'POST /api/creatives/:id/block': { body: decidedForPublisher },
  'POST /api/creatives/:id/approve': { body: decidedForPublisher },
  'DELETE /api/creatives/:id/decision': {
    kind: 'decided creative',
    query: async (_id, world, target) => `scope=publisher&scope_id=${await world.id('publisher', target)}`,
  },
  'POST /api/source/creatives/:id/block': { finds: OTHER_SOURCES },
  'POST /api/source/creatives/:id/approve': { finds: OTHER_SOURCES },
  'DELETE /api/source/creatives/:id/decision': { finds: OTHER_SOURCES },
  'POST /api/source/creatives/:id/report': { finds: OTHER_SOURCES },
  'DELETE /api/source/creatives/rules/:rule_id': { finds: OTHER_SOURCES },
  'POST /api/partners': { body: renamed },
  'PUT /api/partners/:id': { kind: 'partner', body: renamed },
  'GET /api/partner/report': { kind: 'publisher', query: (id) => `publisher_id=${id}` },
  'GET /api/scout/viewability': { kind: 'publisher', query: (id) => `publisher_id=${id}` },
  'POST /api/scout/events': { body: () => ({ events: [{ event: 'viewable', tracking: 'none' }] }) },
  'PUT /api/account': { body: renamed },
  'GET /api/supply/sources/:id/log-level-data/files/:event/:hour/:file': { finds: NO_FILES },
  'GET /api/demand/sources/:id/log-level-data/files/:event/:hour/:file': { finds: NO_FILES },
  'GET /api/source/log-level-data/files/:event/:hour/:file': { finds: NO_FILES },
  'GET /api/demand/log-level-data/files/:event/:hour/:file': { finds: NO_FILES },
  'GET /api/demand/strategy': { finds: { nothing: 'The shown demand source is a bidder, and has no strategy.' } },
  'POST /api/jobs/:name/run': { finds: { nothing: 'There is no such job.' } },
  'POST /api/dead-letters/:letter_id/discard': { finds: { nothing: 'There is no such letter.' } },
  'POST /api/dead-letters/:letter_id/replay': { finds: { nothing: 'There is no such letter.' } },
  'POST /api/adjustments': {
    finds: { nothing: 'The sources are nobody’s.' },
    body: () => ({
      ...{ publisher_id: randomUUID(), dsp_id: randomUUID(), period: '2026-02', impressions: 1, gross_cents: 1 },
      reason: 'investigation',
    }),
  },
  'POST /api/accounts': { body: () => ({ name: unlike(), tier: 'standard' }) },
  'PUT /api/accounts/:id': { kind: 'account', body: renamed },
  'POST /api/sandbox/test-bid': { kind: 'bidder', body: (_world, id) => ({ dsp_id: id }) },
  'POST /api/sandbox/simulate-auction': { kind: 'delegate', body: (_world, id) => ({ dsp_id: id }) },
  'POST /api/webhooks': { body: () => ({ url: `https://hooks.example/${randomUUID()}`, events: ['pool.dsp_joined'] }) },
};

/** By the beginning of a path: of what kind `:id` is, where making one takes more than the example of a route. */
const kinds: readonly (readonly [prefix: string, kind: Kind])[] = [
  ['/api/auth/sessions/:id', 'session'],
  ['/api/keys/:id', 'key'],
  ['/api/invitations/:id', 'invitation'],
  ['/api/users/:id', 'user'],
  ['/api/supply/sources/:id', 'publisher'],
  ['/api/supply/pools/:pool_id', 'pool'],
  ['/api/demand/sources/:id', 'bidder'],
  ['/api/demand/dsp/:id', 'bidder'],
  ['/api/dsp/:id', 'bidder'],
  ['/api/campaigns/:id', 'campaign'],
  ['/api/auctions/:id', 'auction'],
  ['/api/source/auctions/:id', 'auction'],
  ['/api/demand/auctions/:id', 'auction'],
  ['/api/creatives/rules/:rule_id', 'creative rule'],
  ['/api/creatives/:id', 'creative'],
  ['/api/source/creatives/rules/:rule_id', 'creative rule'],
  ['/api/source/creatives/:id', 'creative'],
  ['/api/demand/creatives/:id', 'creative'],
  ['/api/metrics/publisher/:publisher_id', 'publisher'],
  ['/api/metrics/dsp/:dsp_id', 'bidder'],
  ['/api/partners/:id', 'partner'],
  ['/api/fees/:source_id', 'publisher'],
  ['/api/accounts/:id', 'account'],
  ['/api/webhooks/:id', 'webhook'],
];

const exampleBodies = new Map<string, unknown>(
  routes.map(({ method, path, examples }) => [`${method} ${path}`, examples?.body]),
);

/** A PATCH that is not here takes what PUT takes. */
function requestOf(route: string): GoodRequest | undefined {
  return goodRequests[route] ?? goodRequests[route.replace(/^PATCH /, 'PUT ')];
}

/**
 * The kind of what a route's path or body names; where it is not named here, the route that makes those of its path.
 */
export function kindOf(route: string): Kind | undefined {
  const path = route.split(' ')[1]!;
  return requestOf(route)?.kind ?? kinds.find(([prefix]) => path.startsWith(prefix))?.[1] ?? makerOf(path);
}

/** `POST /api/things` for `/api/things/:id/parts`, if there is such a route and it has an example. */
function makerOf(path: string): `POST ${string}` | undefined {
  const collection = path.slice(0, path.indexOf('/:'));
  const maker = `POST ${collection}` as const;
  return path.includes('/:') && exampleBodies.get(maker) !== undefined ? maker : undefined;
}

/** Why this request finds nothing; undefined where it names what there is. */
export function findsNothing(route: string): string | undefined {
  return requestOf(route)?.finds?.nothing;
}

/** The path and the body of a good request for a resource of that standing. */
export async function goodRequest(world: World, route: string, target: Target, credential: Credential) {
  const [method, path] = route.split(' ') as [string, string];
  const { body, query } = requestOf(route) ?? {};
  const kind = kindOf(route);
  const id = kind === undefined ? '' : await world.id(kind, target);
  const pool = /:.*:pool_id/.test(path) ? await world.id('pool', beside(target)) : '';
  const delivery = path.includes(':delivery_id') ? await world.testDelivery(id, target) : '';
  const person = path.includes(':user_id')
    ? await world.personOf(path.includes('/supply/') ? 'publisher' : 'dsp', id, target)
    : '';
  const filled = path
    .replace(/:user_id/, person)
    .replace(/:pool_id$/, pool || ':pool_id')
    .replace(/:delivery_id/, delivery)
    .replace(/:stored_name/, 'home')
    .replace(/:creative_id/, 'c')
    .replace(/:name/, 'no-such-job')
    .replace(/:event.:hour.:file/, 'wins/2026-03-14T12/part-00000.ndjson.gz')
    .replace(/:letter_id/, '0:1-1')
    .replace(/:\w+/, id);
  return {
    method,
    path: query === undefined ? filled : `${filled}?${await query(id, world, target)}`,
    body: body === undefined ? exampleBodies.get(route) : await body(world, id, target, credential),
  };
}
