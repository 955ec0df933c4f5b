import { type Credential, credentials, type Target } from './world.ts';

/**
 * Who may do what: what every route answers to every kind of credential, for whosever resource. `ok` is the status that
 * the route declares for success. Routes stand below the rule that they follow.
 *
 * The columns: no credentials; a key that nobody has; a live key, a sandbox key, a live key with X-Sandbox; the session of
 * a member, in the sandbox too, and of an operator; a publisher's and a demand source's own key; a live key with one of
 * the account's partners in X-User-Partner-ID, and with another account's; the session of one of a publisher's own people, and of a
 * demand source's. Where these two are left out, they are answered as their source's key is.
 *
 * The rows: resources of the own account, without a partner, of the partner that X-User-Partner-ID names, in the sandbox;
 * those of another account; those that do not exist. What is in no environment, or belongs to no partner, is in each row.
 *
 * A route that is named nowhere follows the rule that is the default (`=`) of its declared access, and of the resource that its path
 * names. What is public is named here, always.
 */
export const accessMatrix = `
            none bad live sandbox live+X member member+X operator pub dsp partner foreign pubU dspU

# Public, to credentials that are wrong as well.
any         ok   ok  ok   ok      ok     ok     ok       ok       ok  ok  ok      403
GET    /api/health
GET    /api/openapi.json
GET    /api/schemas/strategy.json
GET    /sellers.json
GET    /api/exchange
POST   /api/auth/login
POST   /api/auth/logout
POST   /api/scout/events
POST   /api/invitations/look-up
POST   /api/invitations/accept

# Of the account, in the caller's context.
any         401  401 ok   ok      ok     ok     ok       ok       403 403 ok      403
= account
GET    /api/supply/sources
POST   /api/supply/sources
GET    /api/supply/pools
POST   /api/supply/pools
GET    /api/demand/sources
POST   /api/demand/sources
GET    /api/campaigns
GET    /api/metrics
GET    /api/overview
GET    /api/attention
GET    /api/auctions
GET    /api/auctions/reasons
GET    /api/partners
GET    /api/account
GET    /api/webhooks
POST   /api/webhooks
GET    /api/sandbox/health
POST   /api/sandbox/reset
GET    /api/sandbox/test-bid

# Of one source, or what hangs on one: outside the context it does not exist.
own         401  401 ok   404     404    ok     404      ok       403 403 404     403
partner's   401  401 ok   404     404    ok     404      ok       403 403 ok      403
sandbox     401  401 ok   ok      ok     ok     ok       ok       403 403 404     403
other's     401  401 404  404     404    404    404      404      403 403 404     403
absent      401  401 404  404     404    404    404      404      403 403 404     403
= account publisher bidder delegate strategist campaign webhook
GET    /api/supply/sources/:id
PUT    /api/supply/sources/:id
PATCH  /api/supply/sources/:id
DELETE /api/supply/sources/:id
GET    /api/supply/sources/:id/stats
GET    /api/supply/sources/:id/blocked
GET    /api/supply/sources/:id/funnel
GET    /api/supply/sources/:id/verification
POST   /api/supply/sources/:id/verify
GET    /api/demand/sources/:id
PUT    /api/demand/sources/:id
PATCH  /api/demand/sources/:id
DELETE /api/demand/sources/:id
GET    /api/demand/sources/:id/stats
GET    /api/demand/sources/:id/funnel
GET    /api/demand/sources/:id/health
POST   /api/demand/sources/:id/reset
GET    /api/demand/sources/:id/strategy
PATCH  /api/demand/sources/:id/strategy
PUT    /api/demand/sources/:id/strategy
POST   /api/demand/sources/:id/strategy/backtest
POST   /api/demand/sources/:id/strategy/simulate
GET    /api/demand/sources/:id/pools
POST   /api/demand/sources/:id/pools/:pool_id
DELETE /api/demand/sources/:id/pools/:pool_id
GET    /api/demand/dsp/:id/budget
PUT    /api/demand/dsp/:id/budget
PATCH  /api/demand/dsp/:id/budget
GET    /api/dsp/:id/feed
GET    /api/campaigns/:id
PUT    /api/campaigns/:id
PATCH  /api/campaigns/:id
GET    /api/campaigns/:id/performance
GET    /api/campaigns/:id/creatives/:creative_id/preview
POST   /api/campaigns/:id/pause
POST   /api/campaigns/:id/reactivate
GET    /api/partner/report
GET    /api/scout/viewability
GET    /api/webhooks/:id
PUT    /api/webhooks/:id
PATCH  /api/webhooks/:id
DELETE /api/webhooks/:id
POST   /api/webhooks/:id/rotate
POST   /api/webhooks/:id/test
GET    /api/webhooks/:id/deliveries
POST   /api/webhooks/:id/deliveries/:delivery_id/replay

# Of one auction, live or of the sandbox, in that context alone; operators see everybody's.
own         401  401 ok   404     404    ok     404      ok       403 403 404     403
partner's   401  401 ok   404     404    ok     404      ok       403 403 ok      403
sandbox     401  401 404  ok      ok     404    ok       404      403 403 404     403
other's     401  401 404  404     404    404    404      ok       403 403 404     403
absent      401  401 404  404     404    404    404      404      403 403 404     403
GET    /api/auctions/:id

# Of one source that a field of the body names: that field is wrong.
own         401  401 ok   400     400    ok     400      ok       403 403 400     403
partner's   401  401 ok   400     400    ok     400      ok       403 403 ok      403
sandbox     401  401 ok   ok      ok     ok     ok       ok       403 403 400     403
other's     401  401 400  400     400    400    400      400      403 403 400     403
absent      401  401 400  400     400    400    400      400      403 403 400     403
POST   /api/campaigns

# Of one source in the sandbox, whatever the context.
own         401  401 404  404     404    404    404      404      403 403 404     403
partner's   401  401 404  404     404    404    404      404      403 403 404     403
sandbox     401  401 ok   ok      ok     ok     ok       ok       403 403 404     403
other's     401  401 404  404     404    404    404      404      403 403 404     403
absent      401  401 404  404     404    404    404      404      403 403 404     403
POST   /api/sandbox/test-bid
POST   /api/sandbox/simulate-auction

# Of one pool, which is in no environment and no partner's.
own         401  401 ok   ok      ok     ok     ok       ok       403 403 ok      403
other's     401  401 404  404     404    404    404      404      403 403 404     403
absent      401  401 404  404     404    404    404      404      403 403 404     403
GET    /api/supply/pools/:pool_id
GET    /api/supply/pools/:pool_id/stats

# Live traffic goes by a pool too: a sandbox key does not change it.
own         401  401 ok   403     ok     ok     ok       ok       403 403 ok      403
other's     401  401 404  404     404    404    404      404      403 403 404     403
absent      401  401 404  404     404    404    404      404      403 403 404     403
PUT    /api/supply/pools/:pool_id
PATCH  /api/supply/pools/:pool_id

# A live source, without a partner, into a pool.
own         401  401 ok   404     404    ok     404      ok       403 403 404     403
other's     401  401 404  404     404    404    404      404      403 403 404     403
absent      401  401 404  404     404    404    404      404      403 403 404     403
PUT    /api/supply/pools/:pool_id/assign

# Of one partner, who sees himself alone.
own         401  401 ok   ok      ok     ok     ok       ok       403 403 404     403
partner's   401  401 ok   ok      ok     ok     ok       ok       403 403 ok      403
other's     401  401 404  404     404    404    404      404      403 403 404     403
absent      401  401 404  404     404    404    404      404      403 403 404     403
GET    /api/partners/:id

own         401  401 ok   403     ok     ok     ok       ok       403 403 404     403
partner's   401  401 ok   403     ok     ok     ok       ok       403 403 ok      403
other's     401  401 404  404     404    404    404      404      403 403 404     403
absent      401  401 404  404     404    404    404      404      403 403 404     403
PUT    /api/partners/:id
PATCH  /api/partners/:id

# The context chooses the data of one source, and not whether it exists; for a sandbox key live sources do not.
own         401  401 ok   404     ok     ok     ok       ok       403 403 404     403
partner's   401  401 ok   404     ok     ok     ok       ok       403 403 ok      403
sandbox     401  401 ok   ok      ok     ok     ok       ok       403 403 404     403
other's     401  401 404  404     404    404    404      404      403 403 404     403
absent      401  401 404  404     404    404    404      404      403 403 404     403
GET    /api/metrics/publisher/:publisher_id
GET    /api/metrics/dsp/:dsp_id

# A partner makes no partners.
any         401  401 ok   ok      ok     ok     ok       ok       403 403 403     403
POST   /api/partners

# For one partner, who must be named.
any         401  401 403  403     403    403    403      403      403 403 ok      403
GET    /api/metrics/partner
GET    /api/partner/publishers
GET    /api/partner/dsps
GET    /api/partner/stats

# The account as a whole is changed live, and by no partner.
any         401  401 ok   403     403    ok     403      ok       403 403 403     403
PUT    /api/account
PATCH  /api/account

# A source's own report, to its own key.
any         401  401 403  403     403    403    403      403      ok  403 403     403
= publisher-key
GET    /api/source/report
GET    /api/source/billing
GET    /api/source/funnel
GET    /api/source/blocked
GET    /api/source/auctions
GET    /api/source/reasons
GET    /api/source/profile
GET    /api/source/metrics
GET    /api/source/statements

any         401  401 403  403     403    403    403      403      403 ok  403     403
= dsp-key
GET    /api/demand/report
GET    /api/demand/billing
GET    /api/demand/funnel
GET    /api/demand/auctions
GET    /api/demand/reasons
GET    /api/demand/profile
GET    /api/demand/metrics
GET    /api/demand/statements

# It is a bidder, and has no strategy.
any         401  401 403  403     403    403    403      403      403 404 403     403
GET    /api/demand/strategy

# A source's own key, to those of its people who are logged in.
any         401  401 403  403     403    403    403      403      403 403 403     403     ok   403
= publisher-session
GET    /api/source/key
POST   /api/source/key

any         401  401 403  403     403    403    403      403      403 403 403     403     403  ok
= dsp-session
GET    /api/demand/key
POST   /api/demand/key

# Of one auction of the source, or that it had a part in; the account has others.
own         401  401 403  403     403    403    403      403      404 403 403     403
other's     401  401 403  403     403    403    403      403      404 403 403     403
absent      401  401 403  403     403    403    403      403      404 403 403     403
GET    /api/source/auctions/:id

own         401  401 403  403     403    403    403      403      403 404 403     403
other's     401  401 403  403     403    403    403      403      403 404 403     403
absent      401  401 403  403     403    403    403      403      403 404 403     403
GET    /api/demand/auctions/:id

# For users alone.
any         401  401 403  403     403    ok     ok       ok       403 403 403     403     ok   ok
= login
GET    /api/auth/session
GET    /api/auth/sessions
PUT    /api/auth/password
POST   /api/auth/second-factor
POST   /api/auth/second-factor/confirm
DELETE /api/auth/second-factor

# For an account's users alone.
any         401  401 403  403     403    ok     ok       ok       403 403 403     403
= session
GET    /api/invitations
POST   /api/invitations
GET    /api/keys
POST   /api/keys

own         401  401 403  403     403    ok     ok       ok       403 403 403     403
other's     401  401 403  403     403    404    404      404      403 403 403     403
absent      401  401 403  403     403    404    404      404      403 403 403     403
= session key
POST   /api/keys/:id/rotate
DELETE /api/keys/:id

own         401  401 403  403     403    ok     404      ok       403 403 403     403
partner's   401  401 403  403     403    ok     404      ok       403 403 403     403
sandbox     401  401 403  403     403    ok     ok       ok       403 403 403     403
other's     401  401 403  403     403    404    404      404      403 403 403     403
absent      401  401 403  403     403    404    404      404      403 403 403     403
= session publisher bidder
GET    /api/supply/sources/:id/key
POST   /api/supply/sources/:id/key
GET    /api/demand/sources/:id/key
POST   /api/demand/sources/:id/key
GET    /api/supply/sources/:id/users
DELETE /api/supply/sources/:id/users/:user_id
GET    /api/demand/sources/:id/users
DELETE /api/demand/sources/:id/users/:user_id

# A user's own session, which is nobody else's to end.
own         401  401 403  403     403    ok     ok       404      403 403 403     403     404  404
other's     401  401 403  403     403    404    404      404      403 403 403     403     404  404
absent      401  401 403  403     403    404    404      404      403 403 403     403     404  404
DELETE /api/auth/sessions/:id

# Of one invitation, to a source that the caller sees; operators reach everybody's.
own         401  401 403  403     403    ok     404      ok       403 403 403     403
partner's   401  401 403  403     403    ok     404      ok       403 403 403     403
sandbox     401  401 403  403     403    ok     ok       ok       403 403 403     403
other's     401  401 403  403     403    404    404      ok       403 403 403     403
absent      401  401 403  403     403    404    404      404      403 403 403     403
POST   /api/invitations/:id/renew
DELETE /api/invitations/:id

# For operators alone, who see all accounts.
any         401  401 403  403     403    403    403      ok       403 403 403     403
= operator
GET    /api/metrics/blocked
GET    /api/metrics/invalid
GET    /api/users
POST   /api/users
GET    /api/accounts
POST   /api/accounts
GET    /api/jobs
GET    /api/dead-letters
GET    /api/audit-trail
GET    /api/exchange/settings
GET    /api/audit-trail/heads
GET    /api/statements
GET    /api/adjustments

own         401  401 403  403     403    403    403      ok       403 403 403     403
other's     401  401 403  403     403    403    403      ok       403 403 403     403
absent      401  401 403  403     403    403    403      404      403 403 403     403
= operator user account publisher bidder
GET    /api/users/:id
PUT    /api/users/:id
PATCH  /api/users/:id
DELETE /api/users/:id
DELETE /api/users/:id/second-factor
GET    /api/accounts/:id
PUT    /api/accounts/:id
PATCH  /api/accounts/:id
PUT    /api/fees/:source_id
PATCH  /api/fees/:source_id

# There is no such job, which operators alone are told.
any         401  401 403  403     403    403    403      404      403 403 403     403
POST   /api/jobs/:name/run

# The sources of the example are nobody's, which operators alone are told.
any         401  401 403  403     403    403    403      404      403 403 403     403
POST   /api/adjustments

# There is no such letter, which operators alone are told.
any         401  401 403  403     403    403    403      404      403 403 403     403
POST   /api/dead-letters/:letter_id/discard
POST   /api/dead-letters/:letter_id/replay

# A fee, and what is billed, is seen by whoever sees its source, and by every operator.
own         401  401 ok   404     404    ok     404      ok       403 403 404     403
partner's   401  401 ok   404     404    ok     404      ok       403 403 ok      403
sandbox     401  401 ok   ok      ok     ok     ok       ok       403 403 404     403
other's     401  401 404  404     404    404    404      ok       403 403 404     403
absent      401  401 404  404     404    404    404      404      403 403 404     403
GET    /api/supply/sources/:id/billing
GET    /api/demand/sources/:id/billing
GET    /api/fees/:source_id
`;

export interface Expectation {
  /** `GET /api/health`. */
  readonly route: string;
  readonly target: Target | 'any';
  /** `ok`, or a status. */
  readonly answers: Readonly<Record<Credential, string>>;
}

const keys = { pub: credentials.indexOf('pub'), dsp: credentials.indexOf('dsp') };

/** A route as the table needs it. */
export interface MatrixRoute {
  /** `GET /api/health`. */
  readonly name: string;
  readonly access: string;
  /** Of what kind the resource is that its path or its body names; undefined: it names none. */
  readonly kind: string | undefined;
}

/** One for each route and row. */
export function readMatrix(text: string, routes: readonly MatrixRoute[]): Expectation[] {
  const expectations: Expectation[] = [];
  /** By `account`, or `account publisher`. */
  const defaults = new Map<string, Omit<Expectation, 'route'>[]>();
  let rows: Omit<Expectation, 'route'>[] = [];
  let routesBegan = false;
  for (const line of text.split('\n')) {
    const [first, ...rest] = line.trim().split(/\s+/) as [string, ...string[]];
    if (first === '' || first === '#' || first === credentials[0]) continue;
    if (first === '=') {
      const [access, ...kinds] = rest;
      for (const name of kinds.length === 0 ? [access!] : kinds.map((kind) => `${access} ${kind}`))
        defaults.set(name, rows);
      continue;
    }
    if (/^(GET|POST|PUT|PATCH|DELETE)$/.test(first)) {
      routesBegan = true;
      const route = `${first} ${rest.join(' ')}`;
      expectations.push(...rows.map((row) => ({ route, ...row })));
      continue;
    }
    if (routesBegan) rows = [];
    routesBegan = false;
    // As their source's key, unless the row says otherwise.
    const row = rest.length === credentials.length - 2 ? [...rest, rest[keys.pub]!, rest[keys.dsp]!] : rest;
    if (row.length !== credentials.length) throw new Error(`not a row of the matrix: ${line}`);
    const answers = Object.fromEntries(credentials.map((credential, column) => [credential, row[column]!]));
    rows.push({ target: first as Target | 'any', answers: answers as Expectation['answers'] });
  }
  const named = new Set(expectations.map(({ route }) => route));
  for (const { name: route, access, kind } of routes) {
    if (named.has(route)) continue;
    const byDefault = defaults.get(kind === undefined ? access : `${access} ${kind}`) ?? [];
    expectations.push(...byDefault.map((row) => ({ route, ...row })));
  }
  return expectations;
}
