import Type, { type Static } from 'typebox';
import { Category, FloorCpm, Genre } from '#actors/api-schemas';
import { pool } from '#actors/pool/pool';
import type { PoolState } from '#actors/pool/reduce';
import type { PublisherState } from '#actors/publisher/reduce';
import { cpmMicros, cpmOf } from '#exchange/money/price';
import type { TargetingContext } from '#exchange/strategy/read-field';
import { ApiError } from '#gateways/errors';
import { isUuid } from '#gateways/http/uuid';
import type { ManagementDeps } from '#gateways/management/deps';
import type { Caller } from '#gateways/management/identity/caller';
import { loadSupplySource } from '../../supply-sources/supply-source.ts';

const placeField = (description: string) => Type.Optional(Type.String({ minLength: 1, maxLength: 100, description }));
const noAdditionalProperties = { additionalProperties: false };

/** The simulated auction; fields that the caller leaves out are not in its request. */
export const Auction = Type.Object(
  {
    device: Type.Optional(
      Type.Object(
        {
          devicetype: Type.Optional(
            Type.Integer({
              minimum: 0,
              maximum: 1000,
              description: 'As in OpenRTB: 3 is connected TV, 4 a telephone.',
            }),
          ),
          geo: Type.Optional(
            Type.Object(
              {
                country: placeField('ISO 3166, two or three letters.'),
                region: placeField('ISO 3166-2, without the country.'),
                city: placeField('Its name.'),
              },
              noAdditionalProperties,
            ),
          ),
        },
        noAdditionalProperties,
      ),
    ),
    content: Type.Optional(Type.Object({ genre: Type.Optional(Genre) }, noAdditionalProperties)),
    categories: Type.Optional(
      Type.Array(Category, { maxItems: 100, description: 'IAB categories of the site or app, and of its content.' }),
    ),
    bidfloor: Type.Optional({ ...FloorCpm, description: 'USD CPM.' }),
    publisher_id: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description:
          'A supply source of yours in the sandbox: its genre fills a missing one, its floor and its pool’s count.',
      }),
    ),
  },
  { ...noAdditionalProperties, description: 'All fields are optional; what is left out is not in the request.' },
);
export type Auction = Static<typeof Auction>;

/** A simulated auction in the form that campaigns are matched against, with the price that a bid must reach. */
export interface SimulatedAuction {
  readonly view: TargetingContext;
  /** The floor in USD CPM: the highest of the auction's, the publisher's and the pool's. */
  readonly floorCpm: number;
}

/** Builds the auction. VALIDATION_ERROR for a publisher that is not one of the caller's in the sandbox. */
export async function buildSimulatedAuction(
  deps: ManagementDeps,
  caller: Caller,
  auction: Auction,
): Promise<SimulatedAuction> {
  const { device = {}, content = {}, categories, bidfloor = 0, publisher_id: publisherId } = auction;
  const publisher = publisherId === undefined ? null : await loadPublisher(deps, caller, publisherId);
  const cat = categories === undefined ? {} : { cat: categories };
  const inventory = {
    ...(publisherId === undefined ? {} : { id: publisherId }),
    ...cat,
    content: { ...content, ...cat },
  };
  const isApp = publisher !== null && publisher.type !== 'web';
  return {
    view: {
      request: { id: 'simulation', imp: [], device, ...(isApp ? { app: inventory } : { site: inventory }) },
      imp: null,
      publisherGenre: publisher?.contentGenre ?? null,
    },
    floorCpm: cpmOf(Math.max(cpmMicros(bidfloor), publisher?.floorCpmMicros ?? 0, await poolFloor(deps, publisher))),
  };
}

async function loadPublisher(deps: ManagementDeps, caller: Caller, id: string): Promise<PublisherState> {
  const state = isUuid(id) ? await loadSupplySource(deps, id, caller).catch(nullIfAbsent) : null;
  if (state?.status === 'sandbox') return state;
  throw new ApiError('VALIDATION_ERROR', 'publisher_id names no supply source in the sandbox.', 'auction.publisher_id');
}

/**
 * Returns null for a NOT_FOUND error.
 * @throws every other error
 */
export function nullIfAbsent(error: unknown): null {
  if (error instanceof ApiError && error.code === 'NOT_FOUND') return null;
  throw error;
}

/** The floor of the publisher's pool in micro-dollars CPM; 0 for a publisher without a pool. */
export async function poolFloor({ store }: ManagementDeps, publisher: PublisherState | null): Promise<number> {
  if (publisher?.poolId == null) return 0;
  const [document] = await store.load([{ kind: pool.kind, id: publisher.poolId }]);
  return document && !document.deleted ? (document.state as PoolState).floorCpmMicros : 0;
}
