import { rowsShownIn, type Section } from '../row.ts';

export const pools: Section = {
  title: 'Pools',
  rows: [
    ...rowsShownIn('pools.test.ts', {
      'pool.field.id': '`id` is a UUID.',
      'pool.field.name': '`name` is a string.',
      'pool.field.description': '`description` is a string.',
      'pool.field.publisher_count': '`publisher_count` counts the pool’s supply sources.',
      'pool.field.dsp_count': '`dsp_count` counts the demand sources that subscribe.',
      'pool.field.floor_price_cpm': '`floor_price_cpm` is a number.',
      'pool.archived-not-counted': 'Archived sources do not count.',
      'pool.one-per-source': 'A supply source belongs to at most one pool.',
      'pool.list': '`GET /api/supply/pools` answers `{pools: [pool]}`.',
      'pool.create.201':
        '`POST /api/supply/pools` takes `name`, `description`, `floor_price_cpm` and answers 201 with the pool.',
      'pool.create.name-required': '`name` is required: 400 INVALID_PARAMS.',
      'pool.create.409': 'A duplicate name is 409 CONFLICT.',
      'pool.assign.200':
        '`PUT /api/supply/pools/{pool_id}/assign` with `publisher_id` answers 200 with the supply source.',
      'pool.assign.replaces': 'Assigning replaces the source’s existing assignment.',
      'pool.assign.publisher-required': '`publisher_id` is required: 400 INVALID_PARAMS.',
      'pool.assign.404': 'An unknown pool or supply source is 404 NOT_FOUND.',
    }),
    ...rowsShownIn('auction.test.ts', {
      'pool.floor.used':
        'The pool’s `floor_price_cpm` is a floor of the auctions of its sources: bidders are told, and bids below it lose.',
    }),
    ...rowsShownIn('money.test.ts', {
      'pool.stats':
        '`GET /api/supply/pools/{pool_id}/stats` sums over the pool’s supply sources and carries `pool_id`.',
    }),
  ],
};
