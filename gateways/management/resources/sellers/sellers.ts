import Type from 'typebox';
import { publisher } from '../../../../actors/publisher/publisher.ts';
import type { PublisherView } from '../../../../actors/publisher/view.ts';
import { defineRoute } from '../../routing/route.ts';

/** IAB Tech Lab sellers.json 1.0; `seller_id` is the supply source's id, as in `schain` and ads.txt. */
export const sellers = defineRoute({
  method: 'GET',
  path: '/sellers.json',
  tag: 'Service',
  summary: 'List who sells through this exchange: the active live supply sources',
  access: 'public',
  answer: {
    status: 200,
    schema: Type.Object({
      contact_email: Type.Optional(Type.String()),
      contact_address: Type.Optional(Type.String()),
      version: Type.Literal('1.0'),
      identifiers: Type.Array(Type.Object({ name: Type.String(), value: Type.String() })),
      sellers: Type.Array(
        Type.Object({
          seller_id: Type.String(),
          name: Type.String(),
          domain: Type.String(),
          seller_type: Type.Literal('PUBLISHER'),
          is_confidential: Type.Literal(0),
        }),
      ),
    }),
    headers: { 'Cache-Control': 'public, max-age=3600' },
  },
  async handle({ parts }) {
    const { contactEmail, contactAddress, identifiers } = parts.settings.sellers;
    const active = [...parts.replica.all<PublisherView>(publisher.kind).values()].filter(
      ({ status }) => status === 'active',
    );
    return {
      ...(contactEmail === null ? {} : { contact_email: contactEmail }),
      ...(contactAddress === null ? {} : { contact_address: contactAddress }),
      version: '1.0' as const,
      identifiers: identifiers.map(({ name, value }) => ({ name, value })),
      sellers: active.map(({ id, name, domain }) => ({
        seller_id: id,
        name,
        domain,
        seller_type: 'PUBLISHER' as const,
        is_confidential: 0 as const,
      })),
    };
  },
});
