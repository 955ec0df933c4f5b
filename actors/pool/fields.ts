import Type from 'typebox';
import { cpmMicros, cpmOf } from '../../exchange/money/price.ts';
import { FloorCpm } from '../api-schemas.ts';
import { defineFields, type Projection } from '../field-table.ts';
import { namedResource, revision } from '../resource-fields.ts';

/** A pool, field by field (specification, "Pool"). */
export const poolFields = defineFields({
  ...namedResource({ id: 'c2a1f0de-6b3c-4f7d-8e21-0a9b8c7d6e5f', name: 'Premium CTV' }),
  description: {
    state: Type.String(),
    initial: '',
    api: {
      name: 'description',
      shown: Type.String(),
      written: Type.String({ maxLength: 2000 }),
      example: 'Full-screen inventory on televisions',
    },
  },
  /** The counts are those of the sources in the caller's scope. */
  publisherCount: {
    api: {
      name: 'publisher_count',
      shown: Type.Integer({ description: 'Supply sources of the context in it; archived ones do not count.' }),
      example: 12,
    },
  },
  dspCount: {
    api: {
      name: 'dsp_count',
      shown: Type.Integer({ description: 'Demand sources of the context that take its traffic.' }),
      example: 5,
    },
  },
  /** Whole micro-dollars CPM. */
  floorCpmMicros: {
    state: Type.Integer({ minimum: 0 }),
    initial: 0,
    projected: true,
    api: {
      name: 'floor_price_cpm',
      shown: Type.Number({ description: 'USD CPM.' }),
      written: FloorCpm,
      example: 4,
      fromApi: cpmMicros,
      toApi: cpmOf,
    },
  },
  /** Whether sources whose (app-)ads.txt does not list the exchange are refused. */
  requireVerified: {
    state: Type.Boolean(),
    newInMessages: true,
    initial: false,
    projected: 'newer',
    api: {
      name: 'require_verified',
      shown: Type.Boolean(),
      written: Type.Boolean({
        description:
          'Whether live ad requests are refused (403) unless the ads.txt or app-ads.txt of what they name lists this exchange. By default false.',
      }),
      example: false,
    },
  },
  revision,
  /** ISO 8601, UTC. */
  createdAt: { state: Type.String(), initial: '' },
  updatedAt: { state: Type.String(), initial: '' },
});

/** The projection of a pool, which edges hold. */
export interface PoolProjection extends Projection<typeof poolFields> {
  readonly id: string;
}
