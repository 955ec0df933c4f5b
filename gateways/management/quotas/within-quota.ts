import { account } from '#actors/account/account';
import { type AccountLimits, type LimitedResource, limitsOf } from '#actors/account/limits';
import type { AccountState } from '#actors/account/reduce';
import { quota, quotaId } from '#actors/quota/quota';
import { ARCHIVED_FACTOR, type QuotaReply } from '#actors/quota/reduce';
import { Rejected } from '#runtime/actor/errors';
import { ApiError } from '../../errors.ts';
import type { ManagementDeps } from '../deps.ts';
import { quotaHolderId } from './holder-id.ts';
import { countedRevision, isWeighed, quotaResources } from './quota-resources.ts';
import { type QuotaKey, recountQuota } from './recount.ts';

/** A resource that is created, or grows. */
export interface QuotaHolding extends QuotaKey {
  /** The id of the resource. */
  readonly id: string;
  /** The bytes that edges and management will hold of the resource (`quota-resources.ts`); 0 for small resources. */
  readonly bytes: number;
}

/**
 * The shortest time in ms between two recounts that a refusal causes. Keys expire by themselves, so every refusal of a
 * key causes one.
 */
const COUNT_AGAIN_MS = 5 * 60_000;

/**
 * Reserves room in the account's quota, runs `act`, and reports the result to the quota. CONFLICT when the account has
 * as many resources as it may, QUOTA_EXCEEDED when it has no room for so many bytes; `act` does not run then.
 * Concurrent requests, in all processes together, do not pass the limit. When it stays unknown whether `act` has
 * succeeded, the room stays reserved until the next recount.
 */
export async function withinQuota<State>(
  deps: ManagementDeps,
  holding: QuotaHolding,
  act: () => Promise<State>,
): Promise<State> {
  const { accountId, sandbox, resource, id } = holding;
  const actorId = quotaId(accountId, sandbox, resource);
  const holder = quotaHolderId(id);
  const claim = deps.random.id();
  const giveBack = () => tellQuota(deps, () => deps.messenger.tell(quota, actorId, 'give-back', { holder, claim }));
  try {
    await reserveQuota(deps, holding, (terms) =>
      deps.messenger.ask(quota, actorId, 'take', { holder, claim, bytes: holding.bytes, ...terms }),
    );
  } catch (error) {
    // Where the quota did not refuse, it may have taken the claim, or may yet.
    if (!(error instanceof ApiError)) await giveBack();
    throw error;
  }
  const state = await inReservedRoom(act, giveBack);
  await confirmQuota(deps, holding, state, claim);
  return state;
}

/** Runs `act` in reserved room. `giveBack` ends the reservation where it is certain that `act` has failed. */
export async function inReservedRoom<State>(act: () => Promise<State>, giveBack: () => Promise<void>): Promise<State> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof Rejected || error instanceof ApiError) await giveBack();
    throw error;
  }
}

/**
 * Changes a resource within the quota: a resource that grows needs room, one that shrinks returns room. `bytesBefore`
 * is the size as it was read.
 */
export async function changeWithinQuota<State>(
  deps: ManagementDeps,
  holding: QuotaHolding,
  bytesBefore: number,
  act: () => Promise<State>,
): Promise<State> {
  if (holding.bytes > bytesBefore) return withinQuota(deps, holding, act);
  const state = await act();
  if (holding.bytes < bytesBefore) await confirmQuota(deps, holding, state);
  return state;
}

/** Releases the room of a resource that no longer exists. */
export async function releaseQuota(
  deps: ManagementDeps,
  { accountId, sandbox, resource, id }: Omit<QuotaHolding, 'bytes'>,
  { archived }: { readonly archived: boolean } = { archived: false },
): Promise<void> {
  const actorId = quotaId(accountId, sandbox, resource);
  await tellQuota(deps, () => deps.messenger.tell(quota, actorId, 'drop', { holder: quotaHolderId(id), archived }));
}

/** Confirms a resource that replaces another that is leaving, so that the number stays the same. */
export async function confirmQuotaHolding(deps: ManagementDeps, holding: QuotaHolding): Promise<void> {
  await confirmQuota(deps, holding, {});
}

async function confirmQuota(
  deps: ManagementDeps,
  { accountId, sandbox, resource, id, bytes }: QuotaHolding,
  state: unknown,
  claim: string | null = null,
): Promise<void> {
  // The weight includes concurrent changes of other requests. The answer of a strategy does not contain what is
  // weighed.
  const weight = bytes > 0 && resource !== 'strategies' ? quotaResources[resource].weigh(state) : bytes;
  const body = { holder: quotaHolderId(id), claim, bytes: weight, revision: countedRevision(state) };
  await tellQuota(deps, () => deps.messenger.tell(quota, quotaId(accountId, sandbox, resource), 'settle', body));
}

async function limitsOfAccount(
  { replica, store }: Pick<ManagementDeps, 'replica' | 'store'>,
  accountId: string,
  sandbox: boolean,
): Promise<AccountLimits> {
  const projection = replica.get<Parameters<typeof limitsOf>[0]>(account.kind, accountId);
  if (projection !== undefined) return limitsOf(projection, sandbox);
  const [document] = await store.load([{ kind: account.kind, id: accountId }]);
  return limitsOf((document?.state as AccountState | null | undefined) ?? { tier: 'standard' }, sandbox);
}

/** What a quota needs to know to reserve room, beside the holders. */
interface ReservationTerms {
  readonly most: { readonly count: number; readonly bytes: number };
  readonly countAgainMs: number | null;
}

/**
 * Reserves room by `take`, which asks the quota of `key`, and counts the resources first where the quota wants that.
 * CONFLICT or QUOTA_EXCEEDED when there is no room.
 */
export async function reserveQuota(
  deps: ManagementDeps,
  { accountId, sandbox, resource }: QuotaKey,
  take: (terms: ReservationTerms) => Promise<QuotaReply>,
): Promise<void> {
  const limits = await limitsOfAccount(deps, accountId, sandbox);
  const most = {
    count: limits[resource],
    bytes: isWeighed(resource) ? limits[`${resource}_bytes`] : Number.MAX_SAFE_INTEGER,
  };
  const countAgainMs = resource === 'api_keys' ? 0 : COUNT_AGAIN_MS;
  let reservation = await take({ most, countAgainMs });
  if (!reservation.taken && reservation.because === 'uncounted') {
    await recountQuota(deps, { accountId, sandbox, resource });
    reservation = await take({ most, countAgainMs: null });
  }
  if (!reservation.taken) throw refusal(reservation.because, { resource, sandbox, most });
}

interface QuotaRefusal {
  readonly resource: LimitedResource;
  readonly sandbox: boolean;
  readonly most: { readonly count: number; readonly bytes: number };
}

function refusal(reason: string, { resource, sandbox, most }: QuotaRefusal): ApiError {
  const where = sandbox ? ' in the sandbox' : '';
  const { name } = quotaResources[resource];
  const many = (count: number) => count.toLocaleString('en-US');
  const more = 'The operator of the exchange can raise the limit.';
  if (reason === 'bytes') {
    const text = `All ${name} of an account${where} come to at most ${many(most.bytes)} bytes. ${more}`;
    return new ApiError('QUOTA_EXCEEDED', text);
  }
  const archived = reason === 'archived';
  const count = many(archived ? most.count * ARCHIVED_FACTOR : most.count);
  const text = `An account has at most ${count} ${archived ? 'archived ' : ''}${name}${where}. ${more}`;
  return new ApiError('CONFLICT', text);
}

/** Sends a message to the quota. The next recount repairs a message that is lost. */
export async function tellQuota({ logger }: ManagementDeps, tell: () => Promise<void>): Promise<void> {
  await tell().catch((error: unknown) => logger.warn({ err: error }, 'a change could not be reported to its quota'));
}
