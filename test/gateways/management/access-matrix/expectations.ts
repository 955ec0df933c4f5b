import type { Access, Route } from '#gateways/management/routing/route';
import { type Credential, credentials, type Kind, type Target } from './world.ts';

/** What a route declares of who may do what with it. */
export type Declared = Pick<Route, 'access' | 'reach' | 'partner' | 'sandbox'>;

/** What one route answers to every kind of credential, about a resource of that standing. */
export interface Expectation {
  /** `any`: the route names no resource. */
  readonly target: Target | 'any';
  /** `ok`, the status that the route declares for success; or a status. */
  readonly answers: Readonly<Record<Credential, string>>;
}

/** What a request shows of its caller. */
interface Facts {
  readonly of: 'nobody' | 'account' | 'publisher' | 'dsp';
  readonly by: 'key' | 'session';
  readonly sandbox?: true;
  readonly sandboxKey?: true;
  readonly partner?: true;
  readonly operator?: true;
}

const factsOf: Readonly<Record<Credential, Facts>> = {
  none: { of: 'nobody', by: 'key' },
  bad: { of: 'nobody', by: 'key' },
  live: { of: 'account', by: 'key' },
  sandbox: { of: 'account', by: 'key', sandbox: true, sandboxKey: true },
  'live+X': { of: 'account', by: 'key', sandbox: true },
  member: { of: 'account', by: 'session' },
  'member+X': { of: 'account', by: 'session', sandbox: true },
  operator: { of: 'account', by: 'session', operator: true },
  pub: { of: 'publisher', by: 'key' },
  dsp: { of: 'dsp', by: 'key' },
  partner: { of: 'account', by: 'key', partner: true },
  foreign: { of: 'account', by: 'key', partner: true },
  pubU: { of: 'publisher', by: 'session' },
  dspU: { of: 'dsp', by: 'session' },
};

/**
 * Resources that are in no environment have no row for the sandbox's; those that are no partner's have none for a
 * partner's.
 */
const withoutContext: readonly Target[] = ['own', "other's", 'absent'];
const targetsOf: Partial<Record<Kind, readonly Target[]>> = {
  pool: withoutContext,
  key: withoutContext,
  session: withoutContext,
  user: withoutContext,
  'guarded user': withoutContext,
  account: withoutContext,
  partner: ['own', "partner's", "other's", 'absent'],
};
const everyTarget: readonly Target[] = ['own', "partner's", 'sandbox', "other's", 'absent'];

/**
 * What follows from a route's declaration, in rows: resources of the own account, without a partner, of the partner
 * that X-User-Partner-ID names, in the sandbox; those of another account; those that do not exist.
 * @param kind of the resource that the route's path, query or body names; undefined: it names none
 */
export function expectationsOf(route: Declared, kind: Kind | undefined): Expectation[] {
  const targets = kind === undefined ? (['any'] as const) : (targetsOf[kind] ?? everyTarget);
  return targets.map((target) => {
    const cells = credentials.map((credential) => [credential, answerTo(credential, route, target)] as const);
    return { target, answers: Object.fromEntries(cells) as Expectation['answers'] };
  });
}

function answerTo(credential: Credential, route: Declared, target: Target | 'any'): string {
  // Another account's partner is refused before the route is found.
  if (credential === 'foreign') return '403';
  if (route.access === 'public') return 'ok';
  const facts = factsOf[credential];
  if (facts.of === 'nobody') return '401';
  if (!admits(route.access, facts)) return '403';
  if (route.partner === 'required' && !facts.partner) return '403';
  const inContext: Facts = route.sandbox === 'always' ? { ...facts, sandbox: true } : facts;
  if (!isReached(route, inContext, target)) return route.reach?.unreached === 'VALIDATION_ERROR' ? '400' : '404';
  return isRefused(route, inContext) ? '403' : 'ok';
}

function admits(access: Access, { of, by, operator }: Facts): boolean {
  switch (access) {
    case 'public':
      return true;
    case 'account':
      return of === 'account';
    case 'login':
      return by === 'session';
    case 'session':
      return of === 'account' && by === 'session';
    case 'operator':
      return operator === true;
    case 'publisher-key':
      return of === 'publisher';
    case 'dsp-key':
      return of === 'dsp';
    case 'publisher-session':
      return of === 'publisher' && by === 'session';
    case 'dsp-session':
      return of === 'dsp' && by === 'session';
  }
}

/** In this world the member owns what is of a user's own, and the shown sources own none of the resources. */
function isReached({ access, reach = {} }: Declared, caller: Facts, target: Target | 'any'): boolean {
  if (target === 'any') return true;
  if (target === 'absent') return false;
  if (access === 'operator') return true;
  if (access === 'login') return target === 'own' && caller.of === 'account' && !caller.operator;
  if (caller.of !== 'account') return false;
  const everyAccount = caller.operator === true && reach.operators === 'every-account';
  if (target === "other's" && !everyAccount) return false;
  if (caller.partner && reach.partners !== 'every' && target !== "partner's") return false;
  const inSandbox = target === 'sandbox';
  switch (reach.environments) {
    case 'every':
      return true;
    case 'of-key':
      return inSandbox || !caller.sandboxKey;
    case 'same':
      return inSandbox === (caller.sandbox ?? false);
    case undefined:
      return inSandbox || !caller.sandbox;
  }
}

function isRefused({ reach = {} }: Declared, { sandbox, sandboxKey, partner }: Facts): boolean {
  const calls = { sandbox, 'sandbox-key': sandboxKey, partner };
  return (reach.refused ?? []).some((call) => calls[call]);
}
