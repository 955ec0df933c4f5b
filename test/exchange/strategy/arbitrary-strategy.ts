import fc from 'fast-check';
import type { BidRequest } from '#exchange/openrtb/bid-request';
import type { Imp } from '#exchange/openrtb/fields/imp';
import type { Campaign } from '#exchange/strategy/document/campaign';
import type { Condition, Rule } from '#exchange/strategy/document/rule';
import type { Strategy } from '#exchange/strategy/document/strategy';

/** Random strategies that are valid, and requests that their conditions have a fair chance to meet. */

export const dspId = 'ffffffff-ffff-4fff-8fff-ffffffffffff';

const genre = fc.constantFrom('drama', 'sport', 'news');
const country = fc.constantFrom('AE', 'ARE', 'US', 'USA', 'gb');
const deviceType = fc.integer({ min: 1, max: 7 });
const cpm = fc.integer({ min: 1, max: 2000 }).map((cents) => cents / 100);
const priority = fc.integer({ min: -2, max: 2 });

const condition: fc.Arbitrary<Condition> = fc.oneof(
  fc.record({
    field: fc.constantFrom('device.devicetype', 'imp.bidfloor', 'device.geo.lat', 'user.yob'),
    operator: fc.constantFrom('eq', 'neq', 'gt', 'gte', 'lt', 'lte'),
    value: fc.integer({ min: 0, max: 8 }).map(String),
  }),
  fc.record({
    field: fc.constantFrom('geo.country', 'device.geo.country'),
    operator: fc.constantFrom('in', 'not_in'),
    value: fc.array(country, { minLength: 1, maxLength: 3 }).map((entries) => entries.join(',')),
  }),
  fc.record({
    field: fc.constantFrom('content.genre', 'site.domain', 'site.cat'),
    operator: fc.constantFrom('eq', 'neq', 'contains', 'starts_with'),
    value: fc.oneof(genre, fc.constantFrom('news.example', 'IAB1', 'd')),
  }),
  fc.record({
    field: fc.constantFrom('device.ifa', 'app', 'user.ext.segment'),
    operator: fc.constant('exists' as const),
    value: fc.constantFrom('true', 'false'),
  }),
) as fc.Arbitrary<Condition>;

const time = fc.record(
  {
    hours: fc.oneof(
      fc.constantFrom('0-23', '18-23', '22-2', '3'),
      fc.uniqueArray(fc.integer({ min: 0, max: 23 }), { minLength: 1 }),
    ),
    days: fc.constantFrom('mon-sun', 'sat,sun', 'fri-mon'),
    timezone: fc.constantFrom('UTC', 'Asia/Dubai', 'America/New_York'),
  },
  { requiredKeys: [] },
);

const targeting = fc.record(
  {
    countries: fc.array(country, { maxLength: 3 }),
    devices: fc.array(fc.oneof(fc.constantFrom('ctv', 'mobile', 'tablet', 'desktop'), deviceType.map(String)), {
      maxLength: 3,
    }),
    genres: fc.array(genre, { maxLength: 2 }),
  },
  { requiredKeys: [] },
);

const creative = fc.oneof(
  fc.constant({ creative_id: 'video', vast_url: 'https://ads.example/v.xml' }),
  fc.constant({ creative_id: 'banner', image_url: 'https://ads.example/b.png', width: 300, height: 250 }),
);

const campaignBody = fc.record(
  {
    status: fc.constantFrom('active' as const, 'active' as const, 'paused' as const),
    priority,
    targeting: fc.tuple(targeting, time).map(([where, when]) => ({ ...where, ...when })),
    bidding: fc.oneof(
      cpm.map((base_cpm) => ({ base_cpm })),
      fc.tuple(cpm, cpm).map(([a, b]) => ({ base_cpm: Math.min(a, b), max_cpm: Math.max(a, b) })),
    ),
  },
  { requiredKeys: [] },
);

const price = fc.oneof(
  cpm.map((bid_cpm) => ({ bid_cpm })),
  fc.constantFrom(0.5, 1.5, 3).map((bid_multiplier) => ({ bid_multiplier })),
  fc.constant({}),
);

export const arbitraryStrategy: fc.Arbitrary<Strategy> = fc
  .record({
    default_bid: fc.oneof(fc.constant(0), cpm),
    campaigns: fc.array(fc.tuple(campaignBody, creative), { minLength: 1, maxLength: 5 }),
    rules: fc.array(fc.tuple(fc.nat(4), fc.array(condition, { maxLength: 3 }), price, priority, fc.option(time)), {
      maxLength: 8,
    }),
  })
  .map(({ default_bid, campaigns, rules }) => ({
    version: '1.0' as const,
    dsp_id: dspId,
    default_bid,
    campaigns: campaigns.map(
      ([body, shown], index): Campaign => ({
        campaign_id: `c${index}`,
        campaign_name: `C ${index}`,
        ...body,
        creative: shown,
      }),
    ),
    rules: rules.map(
      ([of, conditions, bid, rank, schedule], index): Rule => ({
        rule_id: `r${index}`,
        campaign_id: `c${of % campaigns.length}`,
        conditions,
        priority: rank,
        ...bid,
        ...(schedule === null ? {} : { schedule }),
      }),
    ),
  }));

const imp: fc.Arbitrary<Imp> = fc
  .tuple(fc.constantFrom('video', 'banner', 'both'), fc.option(fc.integer({ min: 0, max: 8 })))
  .map(([offered, bidfloor]) => ({
    id: '1',
    ...(offered === 'banner' ? {} : { video: { mimes: ['video/mp4'] } }),
    ...(offered === 'video' ? {} : { banner: { w: 300, h: 250 } }),
    ...(bidfloor === null ? {} : { bidfloor }),
  }));

export const arbitraryRequest: fc.Arbitrary<{ request: BidRequest; imp: Imp; publisherGenre: string | null }> = fc
  .record({
    imp,
    devicetype: fc.option(deviceType),
    country: fc.option(country.filter((code) => code.length === 3)),
    genre: fc.option(fc.oneof(genre, fc.constant(''))),
    publisherGenre: fc.option(genre),
    cat: fc.option(fc.array(fc.constantFrom('IAB1', 'IAB1-2', 'IAB9'), { maxLength: 2 })),
    ifa: fc.boolean(),
  })
  .map(({ imp: only, devicetype, country: code, genre: own, publisherGenre, cat, ifa }) => ({
    imp: only,
    publisherGenre,
    request: {
      id: '1',
      imp: [only],
      site: {
        domain: 'news.example',
        ...(cat === null ? {} : { cat }),
        ...(own === null ? {} : { content: { genre: own } }),
      },
      device: {
        ...(devicetype === null ? {} : { devicetype }),
        ...(code === null ? {} : { geo: { country: code } }),
        ...(ifa ? { ifa: 'x' } : {}),
      },
    },
  }));
