import Type, { type Static } from 'typebox';
import { Uuid } from '#actors/api-schemas';
import { exampleOf, shownProperties, toApi, writtenProperties } from '#actors/field-table';
import { publisherFields } from '#actors/publisher/fields';
import { publisher } from '#actors/publisher/publisher';
import type { PublisherState } from '#actors/publisher/reduce';
import { ApiError } from '#gateways/errors';
import { loadVisible } from '../../changes/load-visible.ts';
import type { ManagementDeps } from '../../deps.ts';
import type { Caller } from '../../identity/caller.ts';

/** A supply source as the API shows it (specification, "Supply source"). */
export const SupplySource = Type.Object(shownProperties(publisherFields), {
  title: 'SupplySource',
  examples: [exampleOf(publisherFields)],
});
export type SupplySource = Static<typeof SupplySource>;

const { name, domain, type, floorCpmMicros, sandbox, contentGenre } = publisherFields;

/** The writable fields in the order of the API's description: these first, then those of the table. */
export const supplySourceFields = {
  ...writtenProperties({ name, domain, type, floorCpmMicros, sandbox, contentGenre }),
  ...writtenProperties(publisherFields),
};

/**
 * The largest number of characters in all blocked domains of a source together, since every edge holds them in memory.
 */
const mostBlockedDomainCharacters = 65_536;

/** Asserts that the blocked domains are not too much text: VALIDATION_ERROR. The schema bounds their number. */
export function assertListsFit({ blocked_domains: domains = [] }: { readonly blocked_domains?: string[] }): void {
  const characters = domains.reduce((sum, domain) => sum + domain.length, 0);
  if (characters <= mostBlockedDomainCharacters) return;
  const message = `blocked_domains are at most ${mostBlockedDomainCharacters.toLocaleString('en-US')} characters in all.`;
  throw new ApiError('VALIDATION_ERROR', message, 'blocked_domains');
}

export const SupplySourceParams = Type.Object({ id: Uuid });

export function showSupplySource(id: string, state: PublisherState): SupplySource {
  return toApi(publisherFields, state, { id });
}

export function loadSupplySource(deps: ManagementDeps, id: string, caller: Caller): Promise<PublisherState> {
  return loadVisible<PublisherState>(deps, publisher.kind, id, caller.scope, 'The supply source');
}
