import { expect } from 'chai';
import Type from 'typebox';
import { Compile } from 'typebox/compile';
import { eventually } from '../support/eventually.ts';
import { callJson } from '../support/exchange.ts';
import { againstExchange } from './against-exchange.ts';
import { shows } from './shows.ts';

/**
 * IAB Tech Lab, "Sellers.json" 1.0 (final, July 2019), §"Sellers.json specification": its three objects, field by
 * field.
 */
const sellersJson = Compile(
  Type.Object(
    {
      identifiers: Type.Optional(
        Type.Array(
          Type.Object({ name: Type.String({ minLength: 1 }), value: Type.String({ minLength: 1 }) }, strict()),
        ),
      ),
      contact_email: Type.Optional(Type.String({ pattern: '^[^\\s@]+@[^\\s@]+$' })),
      contact_address: Type.Optional(Type.String({ minLength: 1 })),
      version: Type.Literal('1.0'),
      sellers: Type.Array(
        Type.Object(
          {
            seller_id: Type.String({ minLength: 1 }),
            is_confidential: Type.Optional(Type.Enum([0, 1])),
            seller_type: Type.Enum(['PUBLISHER', 'INTERMEDIARY', 'BOTH']),
            is_passthrough: Type.Optional(Type.Enum([0, 1])),
            name: Type.Optional(Type.String({ minLength: 1 })),
            domain: Type.Optional(Type.String({ minLength: 1 })),
            comment: Type.Optional(Type.String()),
            ext: Type.Optional(Type.Object({})),
          },
          strict(),
        ),
      ),
      ext: Type.Optional(Type.Object({})),
    },
    strict(),
  ),
);

function strict() {
  return { additionalProperties: false } as const;
}

const UNVERIFIED = 'Not verified: its ads.txt or app-ads.txt does not list this exchange.';

againstExchange(
  'sellers.json',
  (exchange) => {
    const read = () => callJson('GET', `${exchange.running.baseUrl}/sellers.json`);
    const create = (fields: object = {}) =>
      exchange.create('/api/supply/sources', { domain: 'seller.example', type: 'web', ...fields });
    const entryOf = (id: string, holds: (entry: Record<string, unknown>) => boolean = () => true) =>
      eventually(`${id} in the list`, async () => {
        const entry = (await read()).body.sellers.find((seller: { seller_id: string }) => seller.seller_id === id);
        return entry && holds(entry) && entry;
      });

    shows('sellers.contact_email', async () => {
      expect((await read()).body.contact_email).to.equal('adops@exchange.example');
    });
    shows('sellers.contact_address', async () => {
      expect((await read()).body.contact_address).to.equal('1 High Street, London');
    });

    shows('sellers.identifiers', async () => {
      expect((await read()).body.identifiers).to.deep.equal([
        { name: 'TAG-ID', value: '28cb65e5bbc0bd5f' },
        { name: 'DUNS', value: '123456789' },
      ]);
    });

    shows(['sellers.seller_type', 'sellers.is_confidential'], async () => {
      const publisher = await create();
      const intermediary = await create({ seller_type: 'INTERMEDIARY' });
      const confidential = await create({ seller_type: 'BOTH', is_confidential: true });
      expect(await entryOf(publisher.id)).to.deep.equal({
        seller_id: publisher.id,
        name: publisher.name,
        domain: 'seller.example',
        seller_type: 'PUBLISHER',
        is_confidential: 0,
        comment: UNVERIFIED,
      });
      expect(await entryOf(intermediary.id)).to.include({ seller_type: 'INTERMEDIARY', is_confidential: 0 });
      expect(await entryOf(confidential.id)).to.deep.equal({
        seller_id: confidential.id,
        seller_type: 'BOTH',
        is_confidential: 1,
        comment: UNVERIFIED,
      });
      expect((await read()).headers.get('cache-control')).to.equal('public, max-age=3600');
    });

    it('follows a change of either', async () => {
      const source = await create();
      expect(source).to.include({ seller_type: 'PUBLISHER', is_confidential: false });
      const changes = { seller_type: 'BOTH', is_confidential: true };
      const changed = await exchange.call('PUT', `/api/supply/sources/${source.id}`, changes);
      expect(changed.body).to.include(changes);
      await entryOf(source.id, (entry) => entry.seller_type === 'BOTH' && entry.is_confidential === 1);
      for (const body of [{ seller_type: 'publisher' }, { is_confidential: 2 }]) {
        const refused = await exchange.call('PUT', `/api/supply/sources/${source.id}`, body);
        expect([refused.status, refused.body.error.code]).to.deep.equal([400, 'VALIDATION_ERROR']);
      }
    });

    it("is valid by the IAB's rules: each seller once, and named unless it is confidential", async () => {
      const { body } = await read();
      expect(sellersJson.Errors(body)).to.deep.equal([]);
      const ids = body.sellers.map((seller: { seller_id: string }) => seller.seller_id);
      expect(new Set(ids).size).to.equal(ids.length);
      for (const { name, domain, is_confidential: hidden } of body.sellers) {
        expect(hidden === 1 ? name === undefined && domain === undefined : name !== '' && domain !== '').to.equal(true);
      }
    });
  },
  {
    environment: {
      SELLERS_CONTACT_EMAIL: 'adops@exchange.example',
      SELLERS_CONTACT_ADDRESS: '1 High Street, London',
      SELLERS_IDENTIFIERS: 'TAG-ID=28cb65e5bbc0bd5f,DUNS=123456789',
    },
  },
);

againstExchange('sellers.json of an exchange without a contact', (exchange) => {
  shows('sellers.contact_email', async () => {
    const { body } = await callJson('GET', `${exchange.running.baseUrl}/sellers.json`);
    expect(body.contact_email).to.equal(exchange.running.admin.email);
  });
});
