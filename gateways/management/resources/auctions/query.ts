import Type, { type Static } from 'typebox';
import { Timestamp, Uuid } from '#actors/api-schemas';
import { auctionRecord } from '#actors/auction-record/auction-record';
import { PARTICIPATION_OUTCOMES, REQUEST_OUTCOMES } from '#actors/auction-record/record';
import { lowestRecordId } from '#actors/auction-record/record-id';
import { indexedSourceId, participationMark } from '#actors/auction-record/record-index';
import { dsp } from '#actors/dsp/dsp';
import { publisher } from '#actors/publisher/publisher';
import { REASONS } from '#exchange/auction/explain-reason';
import { REGIONS } from '#exchange/region';
import { ApiError } from '#gateways/errors';
import { isUuid } from '#gateways/http/uuid';
import type { Condition } from '#runtime/ports/store';
import { loadVisible } from '../../changes/load-visible.ts';
import type { ManagementDeps } from '../../deps.ts';
import type { Caller } from '../../identity/caller.ts';
import { ownAuctions, ownScope, seesAll } from './perspective.ts';

/** The filters of a query for recorded auctions. */
export const auctionFilters = {
  publisher_id: Type.Optional(Type.String({ ...Uuid, description: 'Auctions of this supply source.' })),
  dsp_id: Type.Optional(
    Type.String({
      ...Uuid,
      description: 'Auctions that this demand source of yours was asked in, or might have been; of any publisher.',
    }),
  ),
  outcome: Type.Optional(
    Type.Enum([...REQUEST_OUTCOMES, ...PARTICIPATION_OUTCOMES], {
      description:
        'Of the auction: `filled`, `unfilled` (204), `blocked` (403), `invalid` (400), `expired` (503). With `dsp_id`, of its part: `won`, `lost` (its bids), `answered` (it was asked, and has no bid that counts, as when it was too late), `not-called`.',
    }),
  ),
  reason: Type.Optional(
    Type.Enum([...REASONS], { description: 'A reason that is found in the auction; with `dsp_id`, in its part.' }),
  ),
  region: Type.Optional(Type.Enum([...REGIONS], { description: 'Of the edge.' })),
  from: Type.Optional(Type.String({ ...Timestamp, description: 'From this instant on.' })),
  to: Type.Optional(Type.String({ ...Timestamp, description: 'Before this instant.' })),
};

const Filters = Type.Object(auctionFilters);
export type AuctionFilters = Static<typeof Filters>;
type SupplyFilters = Omit<AuctionFilters, 'dsp_id' | 'publisher_id'>;
type Range = Pick<AuctionFilters, 'from' | 'to'>;

interface Source {
  readonly accountId: string;
  readonly sandboxGeneration: number;
}

export type Where = Readonly<Record<string, Condition>>;

/**
 * The condition for the auctions that the filters name and the caller may see: without `dsp_id` those of its own
 * publishers, with it those of one of its demand sources. NOT_FOUND for sources that do not exist for the caller.
 */
export async function auctionsWhere(
  deps: ManagementDeps,
  caller: Caller,
  filters: AuctionFilters,
  before?: string,
): Promise<Where> {
  const { dsp_id: dspId, publisher_id: publisherId, outcome } = filters;
  if (dspId === undefined) {
    refusePartOutcome(outcome);
    const own =
      publisherId === undefined ? await ownAuctions(deps, caller) : await publisherWhere(deps, caller, publisherId);
    return publisherAuctionsWhere(own, filters, before);
  }
  const mark = await markOfDsp(deps, caller, dspId);
  return dspAuctionsWhere(deps, caller.sandbox, mark, filters, before);
}

/** The condition for auctions of the publishers that `own` finds. */
export function publisherAuctionsWhere(own: Where, filters: SupplyFilters, before?: string): Where {
  const { outcome, reason } = filters;
  return { ...own, ...commonWhere(filters, before), ...(outcome && { outcome }), ...(reason && { reasons: reason }) };
}

/**
 * The condition for auctions in which the demand source of these marks took part. INVALID_PARAMS for an outcome of its
 * participation together with a reason.
 */
export async function dspAuctionsWhere(
  deps: Pick<ManagementDeps, 'store'>,
  sandbox: boolean,
  mark: (outcomeOrReason?: string) => string,
  filters: Omit<AuctionFilters, 'dsp_id'>,
  before?: string,
): Promise<Where> {
  const { publisher_id: publisherId, outcome, reason } = filters;
  const participationOutcome = partOutcomeOf(outcome);
  if (participationOutcome !== undefined && reason !== undefined) {
    throw new ApiError(
      'INVALID_PARAMS',
      'Of a demand source, ask for outcome or for reason: a reason has one outcome.',
    );
  }
  const publisherKey = publisherId === undefined ? undefined : await keyOfAnyPublisher(deps, sandbox, publisherId);
  return {
    sandbox,
    marks: mark(reason ?? participationOutcome),
    ...commonWhere(filters, before),
    ...(publisherKey !== undefined && { publisherKey }),
    ...(outcome !== undefined && participationOutcome === undefined && { outcome }),
  };
}

function refusePartOutcome(outcome: AuctionFilters['outcome']): void {
  const participationOutcome = partOutcomeOf(outcome);
  if (participationOutcome === undefined) return;
  throw new ApiError(
    'INVALID_PARAMS',
    `${participationOutcome} is the outcome of a demand source: give dsp_id.`,
    'outcome',
  );
}

function partOutcomeOf(outcome: AuctionFilters['outcome']): (typeof PARTICIPATION_OUTCOMES)[number] | undefined {
  return PARTICIPATION_OUTCOMES.find((one) => one === outcome);
}

function commonWhere(filters: Range & Pick<AuctionFilters, 'region'>, before: string | undefined): Where {
  const key = keyRange(filters, before);
  const { region } = filters;
  return { ...(key && { key }), ...(region && { region }) };
}

/** Returns the function that builds the marks of the caller's demand source. */
export async function markOfDsp(
  deps: ManagementDeps,
  caller: Caller,
  dspId: string,
): Promise<(outcomeOrReason?: string) => string> {
  const state = await visibleSource(deps, caller, dsp.kind, dspId, 'The demand source');
  const key = indexedSourceId(dspId, caller.sandbox, state.sandboxGeneration);
  return (outcomeOrReason) => participationMark(key, outcomeOrReason);
}

async function publisherWhere(deps: ManagementDeps, caller: Caller, publisherId: string): Promise<Where> {
  const state = await visibleSource(deps, caller, publisher.kind, publisherId, 'The supply source');
  const { sandbox } = caller;
  return { sandbox, publisherKey: indexedSourceId(publisherId, sandbox, state.sandboxGeneration) };
}

/** The key of a publisher of any account: a demand source knows every publisher that it was asked for. */
async function keyOfAnyPublisher(
  { store }: Pick<ManagementDeps, 'store'>,
  sandbox: boolean,
  id: string,
): Promise<string> {
  const [document] = await store.load([{ kind: publisher.kind, id }]);
  return indexedSourceId(id, sandbox, (document?.state as Source | undefined)?.sandboxGeneration ?? 0);
}

async function visibleSource(deps: ManagementDeps, caller: Caller, kind: string, id: string, what: string) {
  if (!seesAll(caller)) return loadVisible<Source>(deps, kind, id, ownScope(caller), what);
  const [document] = await deps.store.load([{ kind, id }]);
  if (!document || document.deleted) throw new ApiError('NOT_FOUND', `${what} does not exist.`);
  return document.state as Source;
}

function keyRange({ from, to }: Range, before: string | undefined) {
  const end = to === undefined ? undefined : lowestRecordId(Date.parse(to));
  const lt = before !== undefined && (end === undefined || before < end) ? before : end;
  const gte = from === undefined ? undefined : lowestRecordId(Date.parse(from));
  return { gte: gte ?? lowestRecordId(0), ...(lt !== undefined && { lt }) };
}

/** Reads `cursor`, the id of the last auction of the page before; INVALID_PARAMS for any other text. */
export function readCursor(cursor: string | undefined): string | undefined {
  if (cursor === undefined || isUuid(cursor)) return cursor?.toLowerCase();
  throw new ApiError('INVALID_PARAMS', 'cursor is none that a list of auctions has answered.', 'cursor');
}

export const auctionKind = auctionRecord.kind;
