import { expect } from 'chai';
import fc from 'fast-check';
import type { Campaign } from '#exchange/strategy/document/campaign';
import { campaignDocumentFaults } from '#exchange/strategy/validate/campaign-document';
import { MAX_FAULTS } from '#exchange/strategy/validate/schema-faults';
import { strategyFaults } from '#exchange/strategy/validate/strategy';
import { arbitraryStrategy, dspId } from './arbitrary-strategy.ts';

const terms = { dspId, takenCampaignIds: new Set(['taken']), httpsOnly: false };
const pathsOf = (document: unknown, more: object = {}) =>
  strategyFaults(document, { ...terms, ...more }).map(({ path }) => path);

const campaign = {
  campaign_id: 'a',
  campaign_name: 'A',
  creative: { creative_id: 'v', vast_url: 'http://ads.example/v' },
};
const condition = { field: 'device.devicetype', operator: 'eq', value: '3' };
const rule = { rule_id: 'r', campaign_id: 'a', conditions: [condition] };
const strategy = { version: '1.0', dsp_id: dspId, default_bid: 1, campaigns: [campaign], rules: [rule] };

const withCampaign = (fields: object) => ({ ...strategy, campaigns: [{ ...campaign, ...fields }] });
const withCreative = (fields: object) => withCampaign({ creative: { ...campaign.creative, ...fields } });
const withRule = (fields: object) => ({ ...strategy, rules: [{ ...rule, ...fields }] });
const withCondition = (fields: object) => withRule({ conditions: [{ ...condition, ...fields }] });

describe('exchange/strategy/validate', () => {
  it('finds nothing wrong with a good strategy', () => expect(strategyFaults(strategy, terms)).to.deep.equal([]));

  it('finds nothing wrong with any that is made well', () => {
    fc.assert(
      fc.property(arbitraryStrategy, (document) => void expect(strategyFaults(document, terms)).to.deep.equal([])),
    );
  });

  const wrong: readonly [string, unknown, ...string[]][] = [
    ['is no object', [], ''],
    ['is null', null, ''],
    ['has none of its fields', {}, 'version', 'dsp_id', 'default_bid', 'campaigns', 'rules'],
    ['has a field that nobody knows', { ...strategy, campaign: [] }, 'campaign'],
    ['is of another version', { ...strategy, version: '2.0' }, 'version'],
    ['is for another demand source', { ...strategy, dsp_id: 'eeeeeeee-eeee-4eee-8eee-eeeeeeeeeeee' }, 'dsp_id'],
    ['bids less than nothing', { ...strategy, default_bid: -0.01 }, 'default_bid'],
    ['bids what no honest bid is', { ...strategy, default_bid: 10_001 }, 'default_bid'],
    ['holds a campaign that is none', { ...strategy, campaigns: [campaign, 7] }, 'campaigns[1]'],
    ['names two campaigns alike', { ...strategy, campaigns: [campaign, campaign] }, 'campaigns[1].campaign_id'],
    [
      'takes the name of a campaign of the Campaign API',
      { ...strategy, campaigns: [campaign, { ...campaign, campaign_id: 'taken' }] },
      'campaigns[1].campaign_id',
    ],
    ['names two rules alike', { ...strategy, rules: [rule, rule] }, 'rules[1].rule_id'],
    ['has a rule for a campaign that is not there', withRule({ campaign_id: 'b' }), 'rules[0].campaign_id'],
    ['has a rule without conditions', withRule({ conditions: undefined }), 'rules[0].conditions'],
    [
      'has a URL whose host the DNS cannot have',
      withCreative({ landing_url: `https://${'一'.repeat(64)}.test/` }),
      'campaigns[0].creative.landing_url',
    ],
    ['says two prices in a rule', withRule({ bid_cpm: 1, bid_multiplier: 1 }), 'rules[0].bid_multiplier'],
    ['says hours that are none', withRule({ schedule: { hours: '18-24' } }), 'rules[0].schedule.hours'],
    ['says days that are none', withRule({ schedule: { days: 'mon,funday' } }), 'rules[0].schedule.days'],
    ['says a zone that is none', withRule({ schedule: { timezone: 'Mars/Base' } }), 'rules[0].schedule.timezone'],
    ['has a number as a value', withCondition({ value: 3 }), 'rules[0].conditions[0].value'],
    ['has no value', withCondition({ value: undefined }), 'rules[0].conditions[0].value'],
    ['has an operator that is none', withCondition({ operator: '=' }), 'rules[0].conditions[0].operator'],
    ['asks for a field that is none', withCondition({ field: 'device.type' }), 'rules[0].conditions[0].field'],
    ['asks for no path', withCondition({ field: 'device..os' }), 'rules[0].conditions[0].field'],
    ['asks for what objects have by birth', withCondition({ field: 'constructor' }), 'rules[0].conditions[0].field'],
    ['compares an object', withCondition({ field: 'device.geo' }), 'rules[0].conditions[0].field'],
    ['compares a number field with words', withCondition({ value: 'ctv' }), 'rules[0].conditions[0].value'],
    ['compares sizes with words', withCondition({ operator: 'gt', value: 'big' }), 'rules[0].conditions[0].value'],
    ['asks for one of nothing', withCondition({ operator: 'in', value: ' , ' }), 'rules[0].conditions[0].value'],
    [
      'asks whether something maybe exists',
      withCondition({ operator: 'exists', value: '1' }),
      'rules[0].conditions[0].value',
    ],
    [
      'names a country that is none',
      withCondition({ field: 'geo.country', operator: 'in', value: 'US,ZZ' }),
      'rules[0].conditions[0].value',
    ],
    [
      'targets a country that is none',
      withCampaign({ targeting: { countries: ['AE', 'XX'] } }),
      'campaigns[0].targeting.countries[1]',
    ],
    [
      'targets a device that is none',
      withCampaign({ targeting: { devices: ['0'] } }),
      'campaigns[0].targeting.devices[0]',
    ],
    [
      'targets hours past midnight',
      withCampaign({ targeting: { hours: [23, 24] } }),
      'campaigns[0].targeting.hours[1]',
    ],
    ['targets hours in no form', withCampaign({ targeting: { hours: {} } }), 'campaigns[0].targeting.hours'],
    ['misspells targeting', withCampaign({ targeting: { country: ['AE'] } }), 'campaigns[0].targeting.country'],
    ['bids more than it may', withCampaign({ bidding: { base_cpm: 3, max_cpm: 2 } }), 'campaigns[0].bidding.max_cpm'],
    ['spends fractions of cents', withCampaign({ budget: { daily_cents: 1.5 } }), 'campaigns[0].budget.daily_cents'],
    [
      'caps at nothing',
      withCampaign({ frequency_cap: { max_impressions: 0 } }),
      'campaigns[0].frequency_cap.max_impressions',
    ],
    ['has no creative', withCampaign({ creative: undefined }), 'campaigns[0].creative'],
    ['has one creative and several', withCampaign({ creatives: [campaign.creative] }), 'campaigns[0].creatives'],
    [
      'names two creatives alike',
      withCampaign({ creative: undefined, creatives: [campaign.creative, campaign.creative] }),
      'campaigns[0].creatives[1].creative_id',
    ],
    ['has a creative of nothing', withCreative({ vast_url: undefined }), 'campaigns[0].creative'],
    ['has a creative of two things', withCreative({ html: '<b>' }), 'campaigns[0].creative.html'],
    ['has a creative of another format', withCreative({ format: 'native' }), 'campaigns[0].creative.format'],
    ['has a creative of half a size', withCreative({ width: 300 }), 'campaigns[0].creative.height'],
    [
      'has a tracker that is no URL',
      withCreative({ click_trackers: ['javascript:1'] }),
      'campaigns[0].creative.click_trackers[0]',
    ],
    [
      'has several where version 1.0 has one',
      withCampaign({ version: '1.0', rotation_strategy: 'random' }),
      'campaigns[0].rotation_strategy',
    ],
  ];
  for (const [what, document, ...paths] of wrong) {
    it(`refuses a document that ${what}`, () => expect(pathsOf(document)).to.deep.equal(paths));
  }

  it('refuses http only where https is demanded', () => {
    expect(pathsOf(strategy)).to.deep.equal([]);
    expect(pathsOf(strategy, { httpsOnly: true })).to.deep.equal(['campaigns[0].creative.vast_url']);
  });

  it('says of a value of none of several types which they are', () => {
    const [fault] = strategyFaults(withCampaign({ targeting: { hours: true } }), terms);
    expect(fault).to.deep.equal({ path: 'campaigns[0].targeting.hours', message: 'must be a string or an array' });
  });

  it('names every fault, however many there are, in the order of the document', () => {
    /** Ways to spoil a document at one place each, none in another's way. */
    const spoilers: readonly [string, (document: typeof strategy) => unknown][] = [
      ['version', (document) => Object.assign(document, { version: 3 })],
      ['default_bid', (document) => Object.assign(document, { default_bid: '1' })],
      ['campaigns[0].campaign_name', (document) => Object.assign(document.campaigns[0]!, { campaign_name: '' })],
      [
        'campaigns[0].creative.vast_url',
        (document) => Object.assign(document.campaigns[0]!.creative, { vast_url: 'x' }),
      ],
      [
        'campaigns[0].budget.pacing',
        (document) => Object.assign(document.campaigns[0]!, { budget: { pacing: 'fast' } }),
      ],
      [
        'campaigns[0].targeting.countries[0]',
        (document) => Object.assign(document.campaigns[0]!, { targeting: { countries: ['Q'] } }),
      ],
      ['rules[0].conditions[0].value', (document) => Object.assign(document.rules[0]!.conditions[0]!, { value: 3 })],
      ['rules[0].bid_cpm', (document) => Object.assign(document.rules[0]!, { bid_cpm: -1 })],
      ['rules[0].schedule.hours', (document) => Object.assign(document.rules[0]!, { schedule: { hours: 'noon' } })],
      ['rules[0].unknown', (document) => Object.assign(document.rules[0]!, { unknown: 1 })],
    ];
    fc.assert(
      fc.property(fc.subarray(spoilers.map((_, index) => index)), (chosen) => {
        const document = structuredClone(strategy);
        for (const index of chosen) spoilers[index]![1](document);
        const paths = pathsOf(document);
        expect(paths).to.have.members(chosen.map((index) => spoilers[index]![0]));
        const sections = paths.map((path) =>
          ['version', 'default_bid', 'campaigns', 'rules'].indexOf(/^\w+/.exec(path)![0]),
        );
        expect(sections).to.deep.equal([...sections].sort());
      }),
    );
  });

  describe('bounds what edges must do for a strategy:', () => {
    const campaigns = [campaign, { ...campaign, campaign_id: 'b' }];
    const rulesOf = (
      count: number,
      conditionsOf: (index: number) => readonly object[],
      campaignId = 'a',
      prefix = campaignId,
    ) =>
      Array.from({ length: count }, (_, index) => ({
        rule_id: `${prefix}${index}`,
        campaign_id: campaignId,
        conditions: conditionsOf(index),
      }));
    const listOf = (count: number) => ({ ...condition, operator: 'in', value: Array(count).fill('3').join(',') });
    const cases: readonly [string, readonly object[], readonly object[]][] = [
      ['rules of a campaign', rulesOf(1_000, () => []), rulesOf(1, () => [], 'a', 'more')],
      ['its conditions', rulesOf(50, () => Array(100).fill(condition)), rulesOf(1, () => [condition], 'a', 'more')],
      ['its values', rulesOf(10, () => [listOf(2_000)]), rulesOf(1, () => [condition], 'a', 'more')],
      [
        'what is searched for',
        rulesOf(1_000, (index) => [
          { ...condition, field: 'device.ua', operator: 'contains', value: `x${index}` },
          { ...condition, operator: 'gt', value: String(index) },
        ]),
        rulesOf(1, () => [{ ...condition, operator: 'gt', value: '-1' }], 'b', 'more'),
      ],
    ];
    for (const [what, most, more] of cases) {
      it(what, () => {
        const others = rulesOf(5, () => [condition], 'b');
        expect(pathsOf({ ...strategy, campaigns, rules: [...most, ...others] })).to.deep.equal([]);
        const rules = [...most, ...others, ...more];
        expect(pathsOf({ ...strategy, campaigns, rules })).to.deep.equal([`rules[${rules.length - 1}]`]);
      });
    }
    it('the values of all campaigns together', () => {
      const many = Array.from({ length: 11 }, (_, index) => ({ ...campaign, campaign_id: `c${index}` }));
      const rules = many.flatMap(({ campaign_id: id }) => rulesOf(10, () => [listOf(2_000)], id));
      expect(pathsOf({ ...strategy, campaigns: many, rules: rules.slice(0, 100) })).to.deep.equal([]);
      expect(pathsOf({ ...strategy, campaigns: many, rules })).to.deep.equal(['rules[100]']);
    });
    it('the length of what is searched for', () => {
      const searching = (length: number) =>
        withCondition({ field: 'device.ua', operator: 'starts_with', value: 'x'.repeat(length) });
      expect(pathsOf(searching(256))).to.deep.equal([]);
      expect(pathsOf(searching(257))).to.deep.equal(['rules[0].conditions[0].value']);
    });
  });

  it('refuses URLs with characters that end lines, or are none', () => {
    for (const character of ['\0', '\n', '\t', '\u0001', '\u007f', '\ud800', '\udc00x']) {
      const url = `https://ads.example/${character}`;
      expect(pathsOf(withCreative({ landing_url: url })), JSON.stringify(url)).to.deep.equal([
        'campaigns[0].creative.landing_url',
      ]);
      expect(pathsOf(withCreative({ click_trackers: [url] }))).to.deep.equal([
        'campaigns[0].creative.click_trackers[0]',
      ]);
    }
    const withMacros = `https://ads.example/😀/ü/%%M%%/[T]/$${'{U}'}`;
    expect(pathsOf(withCreative({ landing_url: withMacros }))).to.deep.equal([]);
  });

  it('counts faults of ten thousand rules, and stops at a thousand', () => {
    const rules = Array.from({ length: 10_000 }, (_, index) => ({ ...rule, rule_id: `r${index}`, priority: 'high' }));
    const faults = strategyFaults({ ...strategy, rules }, terms);
    expect(faults).to.have.length(MAX_FAULTS);
    expect(faults.at(-1)!.path).to.equal(`rules[${MAX_FAULTS - 1}].priority`);
  });

  it('never throws, whatever it is given', () => {
    const keys = [
      'version',
      'campaigns',
      'rules',
      'conditions',
      'creative',
      'targeting',
      'hours',
      'native',
      '__proto__',
    ];
    const anything = fc.object({ key: fc.constantFrom(...keys), maxDepth: 6 });
    fc.assert(fc.property(fc.anything(), (document) => void strategyFaults(document, terms)));
    fc.assert(fc.property(anything, (document) => void expect(strategyFaults(document, terms)).not.to.deep.equal([])));
  });

  describe('of a campaign by itself', () => {
    const alone: Campaign = { ...campaign, bidding: { base_cpm: 2 } };
    const faults = (document: unknown) =>
      campaignDocumentFaults(document, { httpsOnly: false }).map(({ path, message }) => `${path} ${message}`);

    it('needs a price: there is no strategy to say one', () => {
      expect(faults(alone)).to.deep.equal([]);
      expect(faults(campaign)).to.deep.equal(['bidding.base_cpm is required']);
      expect(faults({ ...alone, bidding: { max_cpm: 2 } })).to.deep.equal(['bidding.base_cpm is required']);
    });

    it('names every fault', () => {
      expect(faults({ ...alone, priority: 0.5, targeting: { days: 'x' }, creatives: [] })).to.deep.equal([
        'priority must be an integer',
        'creatives must not be empty',
        'creatives cannot stand beside creative: exactly one of the two is there',
        'targeting.days must name days of the week, as in mon,tue or mon-fri',
      ]);
    });
  });
});
