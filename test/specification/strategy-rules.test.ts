import { expect } from 'chai';
import type { Answer } from '../support/exchange.ts';
import { vastUrl } from '../support/shared-creative-origin.ts';
import { againstExchange } from './against-exchange.ts';
import { DRAMA_ON_CTV, OPERATORS, timesAroundNow } from './conditions.ts';
import { shows } from './shows.ts';

interface Condition {
  readonly field: string;
  readonly operator: string;
  readonly value: string;
}

/**
 * What strategies mean, shown on simulated auctions, which say what they evaluated; delegate-rules.test.ts shows it on
 * real ones.
 */
againstExchange('rules of delegate strategies', (exchange) => {
  let dspId: string;
  before(async () => {
    dspId = (await exchange.create('/api/demand/sources', { mode: 'delegate', sandbox: true })).id;
  });

  const campaign = (fields: object = {}) => ({
    campaign_id: 'a',
    campaign_name: 'A',
    bidding: { base_cpm: 2, max_cpm: 10 },
    creative: { creative_id: 'v', vast_url: vastUrl('v') },
    ...fields,
  });
  const rule = (ruleId: string, fields: object = {}) => ({
    rule_id: ruleId,
    campaign_id: 'a',
    conditions: [],
    ...fields,
  });
  const upload = async (rules: readonly object[], campaigns: readonly object[] = [campaign()], defaultBid = 1) => {
    const strategy = { version: '1.0', dsp_id: dspId, default_bid: defaultBid, campaigns, rules };
    const answer = await exchange.call('PUT', `/api/demand/sources/${dspId}/strategy`, strategy);
    expect(answer.status, JSON.stringify(answer.body)).to.equal(200);
  };
  const simulate = async (auction: object = {}): Promise<Answer['body']> => {
    const answer = await exchange.call('POST', '/api/sandbox/simulate-auction', { dsp_id: dspId, auction });
    expect(answer.status, JSON.stringify(answer.body)).to.equal(200);
    return answer.body;
  };
  /** Of rules with one condition each, the ids of those that match. */
  const matching = async (conditions: Readonly<Record<string, Condition>>, auction: object): Promise<string[]> => {
    await upload(Object.entries(conditions).map(([id, condition]) => rule(id, { conditions: [condition] })));
    const [evaluated] = (await simulate(auction)).conditions_evaluated;
    return evaluated.rules.flatMap((one: Answer['body']) => (one.matched ? [one.rule_id] : []));
  };

  const auction = DRAMA_ON_CTV;
  const type = 'device.devicetype';
  const genre = 'content.genre';
  for (const [operator, [field, value, other]] of Object.entries(OPERATORS)) {
    shows(`strategy.operator.${operator}`, async () => {
      const conditions = { holds: { field, operator, value }, fails: { field, operator, value: other } };
      expect(await matching(conditions, auction)).to.deep.equal(['holds']);
    });
  }

  shows('strategy.absent-field', async () => {
    const conditions: Record<string, Condition> = {};
    for (const [operator, [field, value, other]] of Object.entries(OPERATORS)) {
      conditions[`${operator} ${value}`] = { field, operator, value };
      conditions[`${operator} ${other}`] = { field, operator, value: other };
    }
    expect(await matching(conditions, {})).to.have.members([
      'neq 3',
      'neq 4',
      'not_in 1, 3',
      'not_in 1, 33',
      'exists false',
    ]);
  });

  shows('strategy.address.devicetype', async () => {
    const conditions = { ctv: { field: type, operator: 'eq', value: '3' } };
    expect(await matching(conditions, auction)).to.deep.equal(['ctv']);
    expect(await matching(conditions, { device: { devicetype: 4 } })).to.deep.equal([]);
  });
  shows('strategy.address.country', async () => {
    const at = (value: string) => ({ field: 'geo.country', operator: 'eq', value });
    const conditions = { two: at('AE'), three: at('ARE'), other: at('US') };
    for (const country of ['AE', 'ARE']) {
      expect(await matching(conditions, { device: { geo: { country } } })).to.deep.equal(['two', 'three']);
    }
  });
  shows('strategy.address.genre', async () => {
    const fields = { sandbox: true, domain: 'tv.example', type: 'ctv', content_genre: 'sport' };
    const { id: publisher_id } = await exchange.create('/api/supply/sources', fields);
    const is = (value: string) => ({ field: genre, operator: 'eq', value });
    const conditions = { own: is('drama'), default: is('sport') };
    expect(await matching(conditions, { publisher_id, content: { genre: 'drama' } })).to.deep.equal(['own']);
    expect(await matching(conditions, { publisher_id })).to.deep.equal(['default']);
    expect(await matching(conditions, {})).to.deep.equal([]);
  });

  shows('strategy.all-conditions', async () => {
    const holds = { field: type, operator: 'eq', value: '3' };
    const fails = { field: type, operator: 'eq', value: '4' };
    await upload([
      rule('both', { conditions: [holds, fails], bid_cpm: 9 }),
      rule('one', { conditions: [holds], bid_cpm: 3 }),
    ]);
    expect(await simulate(auction)).to.include({ matched_rule: 'one', bid_cpm: 3 });
    await upload([rule('both', { conditions: [holds, fails] })]);
    expect(await simulate(auction)).to.include({ matched_rule: null, campaign_id: null, bid_cpm: 0 });
  });

  shows('strategy.rule-choice', async () => {
    await upload([
      rule('low', { bid_cpm: 9 }),
      rule('high', { bid_cpm: 3, priority: 2 }),
      rule('higher', { bid_cpm: 4, priority: 2 }),
      rule('last', { bid_cpm: 8, priority: 1 }),
    ]);
    expect(await simulate()).to.include({ matched_rule: 'higher', bid_cpm: 4 });
  });

  shows('strategy.bid.rule', async () => {
    await upload([rule('stated', { bid_cpm: 3.25 })]);
    expect(await simulate()).to.include({ bid_cpm: 3.25, base_cpm: 2 });
    await upload([rule('times', { bid_multiplier: 1.5 })]);
    expect(await simulate()).to.include({ bid_cpm: 3, base_cpm: 2 });
    await upload([rule('neither')]);
    expect(await simulate()).to.include({ bid_cpm: 2 });
    await upload([], [campaign({ bidding: undefined })], 1.75);
    expect(await simulate()).to.include({ bid_cpm: 1.75, matched_rule: null, campaign_id: 'a' });
  });
  shows('strategy.bid.max', async () => {
    await upload([rule('much', { bid_cpm: 50 })]);
    expect(await simulate()).to.include({ bid_cpm: 10 });
    await upload([rule('times', { bid_multiplier: 50 })]);
    expect(await simulate()).to.include({ bid_cpm: 10 });
  });

  shows('strategy.hours', async () => {
    const bids = async (time: object) => {
      await upload([rule('scheduled', { schedule: time })]);
      const byRule = (await simulate()).campaign_id !== null;
      await upload([], [campaign({ targeting: time })]);
      expect((await simulate()).campaign_id !== null, 'targeting as schedules').to.equal(byRule);
      return byRule;
    };
    for (const [time, isNow] of timesAroundNow()) expect(await bids(time), JSON.stringify(time)).to.equal(isNow);
  });
  shows('strategy.genres', async () => {
    await upload([], [campaign({ targeting: { genres: ['Drama', 'thriller'] } })]);
    expect((await simulate(auction)).campaign_id).to.equal('a');
    expect((await simulate({ content: { genre: 'sport' } })).campaign_id).to.equal(null);
    expect((await simulate({})).campaign_id).to.equal(null);
  });
});
