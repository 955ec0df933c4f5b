import Type from 'typebox';
import { type PublisherProjection, SellerType } from '#actors/publisher/fields';
import { publisher } from '#actors/publisher/publisher';
import { verification } from '#actors/verification/verification';
import { defineRoute } from '../routing/route.ts';

/** The comment on a seller that may not own the inventory that it sells. */
const UNVERIFIED = 'Not verified: its ads.txt or app-ads.txt does not list this exchange.';

/** IAB Tech Lab sellers.json 1.0; `seller_id` is the supply source's id, as in `schain` and ads.txt. */
export const sellers = defineRoute({
  method: 'GET',
  path: '/sellers.json',
  tag: 'Service',
  operationId: 'getSellers',
  summary: 'List who sells through this exchange: the active live supply sources',
  description:
    'The file that buyers read (IAB sellers.json 1.0), public and kept for an hour. Names and domains of confidential sellers are left out.',
  access: 'public',
  answer: {
    status: 200,
    schema: Type.Object({
      contact_email: Type.String({ description: "The operator's, unless the settings give another." }),
      contact_address: Type.Optional(Type.String()),
      version: Type.Literal('1.0'),
      identifiers: Type.Array(Type.Object({ name: Type.String(), value: Type.String() })),
      sellers: Type.Array(
        Type.Object({
          seller_id: Type.String({ description: "The supply source's id, as `sid` in `schain` and in ads.txt." }),
          name: Type.Optional(Type.String()),
          domain: Type.Optional(Type.String()),
          seller_type: SellerType,
          is_confidential: Type.Enum([0, 1], { description: '1: name and domain are not shown.' }),
          comment: Type.Optional(
            Type.String({ description: 'Of a seller whose ads.txt or app-ads.txt does not list us.' }),
          ),
        }),
      ),
    }),
    headers: { 'Cache-Control': 'public, max-age=3600' },
  },
  async handle({ parts }) {
    const { contactEmail, contactAddress, identifiers } = parts.settings.sellers;
    const active = [...parts.replica.all<PublisherProjection>(publisher.kind).values()].filter(
      ({ status }) => status === 'active',
    );
    return {
      contact_email: contactEmail,
      ...(contactAddress === null ? {} : { contact_address: contactAddress }),
      version: '1.0' as const,
      identifiers: identifiers.map(({ name, value }) => ({ name, value })),
      sellers: active.map(({ id, name, domain, sellerType, confidential }) => ({
        seller_id: id,
        ...(confidential ? {} : { name, domain }),
        seller_type: sellerType,
        is_confidential: confidential ? (1 as const) : (0 as const),
        ...(parts.replica.get(verification.kind, id) === undefined ? { comment: UNVERIFIED } : {}),
      })),
    };
  },
});
