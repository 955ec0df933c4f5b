import { publisher } from '../../../../actors/publisher/publisher.ts';
import type { PublisherState } from '../../../../actors/publisher/reduce.ts';
import { defineRoute } from '../../routing/route.ts';
import { loadSupplySource, SupplySource, SupplySourceParams, showSupplySource } from './supply-source.ts';

export const archiveSupplySource = defineRoute({
  method: 'DELETE',
  path: '/api/supply/sources/:id',
  summary: 'Archive a supply source for good: it gets no more traffic',
  access: 'key',
  params: SupplySourceParams,
  answer: { status: 200, schema: SupplySource },
  async handle({ params: { id }, caller, identity, parts }) {
    await loadSupplySource(parts, id, caller);
    const archived = await parts.messenger.ask<typeof publisher.messages, 'archive', PublisherState>(
      publisher,
      id,
      'archive',
      { scope: caller.scope },
      { requestId: identity.askId() },
    );
    return showSupplySource(id, archived);
  },
});
