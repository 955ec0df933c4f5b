import { expect } from 'chai';
import fc from 'fast-check';
import { cpmMicros, cpmOf } from '#exchange/money/price';
import type { BidRequest } from '#exchange/openrtb/bid-request';
import { campaignsOfStrategy } from '#exchange/strategy/bidding-campaign';
import type { Campaign } from '#exchange/strategy/document/campaign';
import type { Rule } from '#exchange/strategy/document/rule';
import type { Strategy } from '#exchange/strategy/document/strategy';
import { type Evaluation, explainCampaigns } from '#exchange/strategy/index/explain-campaigns';
import type { TargetingContext } from '#exchange/strategy/read-field';
import { arbitraryRequest, arbitraryStrategy, dspId } from './arbitrary-strategy.ts';
import { evaluateStrategy as evaluateNaively } from './naive/evaluate.ts';

/** A Saturday, 14:30 UTC. */
const nowMs = Date.parse('2026-01-31T14:30:00Z');
const request: BidRequest = {
  id: '1',
  imp: [{ id: '1', video: { mimes: ['video/mp4'] } }],
  site: { domain: 'news.example', content: { genre: 'Drama' } },
  device: { devicetype: 3, geo: { country: 'ARE' } },
};
const anyImp: TargetingContext = { request, imp: null, publisherGenre: null };

const vast = { creative_id: 'v', vast_url: 'https://ads.example/v.xml' };
const campaign = (id: string, fields: Partial<Campaign> = {}): Campaign => ({
  campaign_id: id,
  campaign_name: id,
  creative: vast,
  ...fields,
});
const holds = { field: 'device.devicetype', operator: 'eq', value: '3' } as const;
const fails = { field: 'device.devicetype', operator: 'eq', value: '4' } as const;
const rule = (id: string, fields: Partial<Rule> = {}): Rule => ({
  rule_id: id,
  campaign_id: 'a',
  conditions: [holds],
  ...fields,
});
const explainStrategy: typeof evaluateNaively = (strategy, view, at) =>
  explainCampaigns(campaignsOfStrategy(strategy), view, at);

for (const [name, evaluateStrategy] of [
  ['index/explain-campaigns', explainStrategy],
  ['naive', evaluateNaively],
] as const)
  describe(`exchange/strategy/${name}`, () => {
    const evaluate = (document: Partial<Strategy>, view: TargetingContext = anyImp, random = 0): Evaluation => {
      const whole: Strategy = { version: '1.0', dsp_id: dspId, default_bid: 1, campaigns: [], rules: [], ...document };
      return evaluateStrategy(whole, view, { nowMs, random: () => random });
    };
    /** `campaign rule price`, or null. */
    const bid = (document: Partial<Strategy>, view?: TargetingContext, random?: number): string | null => {
      const { bid: made } = evaluate(document, view, random);
      return made && `${made.of.campaign.campaign_id} ${made.matchedRule?.rule_id ?? '-'} ${made.bidCpm}`;
    };

    describe('what a campaign bids', () => {
      const price = (fields: Partial<Campaign>, rules: Rule[] = []) =>
        bid({ campaigns: [campaign('a', fields)], rules });

      it('is its base, on its targeting alone', () => expect(price({ bidding: { base_cpm: 2 } })).to.equal('a - 2'));
      it('is the default where it has no base', () => expect(price({})).to.equal('a - 1'));
      it('is what the rule says', () =>
        expect(price({ bidding: { base_cpm: 2 } }, [rule('r', { bid_cpm: 5 })])).to.equal('a r 5'));
      it('is base times what the rule says', () =>
        expect(price({ bidding: { base_cpm: 2 } }, [rule('r', { bid_multiplier: 1.5 })])).to.equal('a r 3'));
      it('is the default times what the rule says, without a base', () =>
        expect(price({}, [rule('r', { bid_multiplier: 4 })])).to.equal('a r 4'));
      it('is base where the rule says no price', () =>
        expect(price({ bidding: { base_cpm: 2 } }, [rule('r')])).to.equal('a r 2'));
      it('is never above max_cpm', () => {
        const bidding = { base_cpm: 2, max_cpm: 3 };
        expect(price({ bidding }, [rule('r', { bid_cpm: 9 })])).to.equal('a r 3');
        expect(price({ bidding }, [rule('r', { bid_multiplier: 9 })])).to.equal('a r 3');
        expect(price({ bidding: { max_cpm: 0.5 } })).to.equal('a - 0.5');
      });
      it('is whole micro-dollars, so that ledgers and bids agree', () =>
        expect(price({ bidding: { base_cpm: 0.1 } }, [rule('r', { bid_multiplier: 3 })])).to.equal('a r 0.3'));
      it('is nothing at a price of 0', () => {
        expect(price({ bidding: { base_cpm: 0 } })).to.equal(null);
        expect(price({}, [rule('r', { bid_cpm: 0 })])).to.equal(null);
        expect(bid({ default_bid: 0, campaigns: [campaign('a')] })).to.equal(null);
      });
    });

    describe('which rule counts', () => {
      const chosen = (...rules: Rule[]) => bid({ campaigns: [campaign('a')], rules });

      it('none, when none matches: a campaign with rules does not bid on its targeting alone', () =>
        expect(chosen(rule('r', { conditions: [fails] }))).to.equal(null));
      it('one, when all of its conditions hold', () => {
        expect(chosen(rule('r', { conditions: [holds, fails] }))).to.equal(null);
        expect(chosen(rule('r', { conditions: [holds, holds] }))).to.equal('a r 1');
        expect(chosen(rule('r', { conditions: [] }))).to.equal('a r 1');
      });
      it('that of the highest priority, whatever it bids', () =>
        expect(chosen(rule('low', { bid_cpm: 9 }), rule('high', { bid_cpm: 2, priority: 1 }))).to.equal('a high 2'));
      it('then that of the highest bid', () =>
        expect(chosen(rule('less', { bid_cpm: 2 }), rule('more', { bid_cpm: 3 }))).to.equal('a more 3'));
      it('one that does not match hinders no other', () =>
        expect(chosen(rule('r'), rule('other', { conditions: [fails], priority: 9 }))).to.equal('a r 1'));
      it('only in its hours and on its days, in its time zone', () => {
        const at = (schedule: Rule['schedule'] & object) => chosen(rule('r', { schedule })) !== null;
        expect(at({ hours: '14' })).to.equal(true);
        expect(at({ hours: '15-13' })).to.equal(false);
        expect(at({ hours: '18', timezone: 'Asia/Dubai' })).to.equal(true);
        expect(at({ hours: '14', timezone: 'Asia/Dubai' })).to.equal(false);
        expect(at({ days: 'sat' })).to.equal(true);
        expect(at({ days: 'sun', timezone: 'Pacific/Auckland' })).to.equal(true);
        expect(at({ hours: '14', days: 'mon-fri' })).to.equal(false);
      });
    });

    describe('what a campaign targets', () => {
      const bids = (targeting: Campaign['targeting'] & object, view = anyImp) =>
        bid({ campaigns: [campaign('a', { targeting })] }, view) !== null;
      const without = (changes: Partial<BidRequest>): TargetingContext => ({
        ...anyImp,
        request: { ...request, ...changes },
      });

      it('countries, by two letters or three', () => {
        expect(bids({ countries: ['AE'] })).to.equal(true);
        expect(bids({ countries: ['us', 'are'] })).to.equal(true);
        expect(bids({ countries: ['US'] })).to.equal(false);
        expect(bids({ countries: ['AE'] }, without({ device: {} }))).to.equal(false);
      });
      it('devices, by name or type', () => {
        expect(bids({ devices: ['ctv'] })).to.equal(true);
        expect(bids({ devices: ['3'] })).to.equal(true);
        expect(bids({ devices: ['mobile', 'tablet', 'desktop'] })).to.equal(false);
        const types = { ctv: [3, 6, 7], mobile: [1, 4], tablet: [5], desktop: [2] };
        for (const [name, expected] of Object.entries(types)) {
          const matching = [1, 2, 3, 4, 5, 6, 7, 8].filter((devicetype) =>
            bids({ devices: [name] }, without({ device: { devicetype } })),
          );
          expect(matching, name).to.deep.equal(expected);
        }
      });
      it('genres, the publisher’s where the content has none', () => {
        expect(bids({ genres: ['drama'] })).to.equal(true);
        expect(bids({ genres: ['sport'] }, { ...anyImp, publisherGenre: 'sport' })).to.equal(false);
        const site = { domain: 'news.example' };
        expect(bids({ genres: ['sport'] }, { ...without({ site }), publisherGenre: 'Sport' })).to.equal(true);
        expect(bids({ genres: ['sport'] }, without({ site }))).to.equal(false);
      });
      it('hours and days', () => {
        expect(bids({ hours: [14], days: ['Saturday'] })).to.equal(true);
        expect(bids({ hours: '15-23' })).to.equal(false);
      });
      it('all of it together, and beside its rules', () => {
        expect(bids({ countries: ['AE'], devices: ['mobile'] })).to.equal(false);
        const campaigns = [campaign('a', { targeting: { countries: ['US'] } })];
        expect(bid({ campaigns, rules: [rule('r')] })).to.equal(null);
      });
      it('everything, where it says nothing', () =>
        expect(bids({ countries: [], devices: [], genres: [] })).to.equal(true));
    });

    describe('which campaign bids', () => {
      const at = (priority: number, base_cpm: number) => ({ priority, bidding: { base_cpm } });

      it('that of the highest priority, then of the highest bid', () => {
        expect(bid({ campaigns: [campaign('a', at(0, 9)), campaign('b', at(1, 2))] })).to.equal('b - 2');
        expect(bid({ campaigns: [campaign('a', at(0, 2)), campaign('b', at(0, 3))] })).to.equal('b - 3');
        expect(bid({ campaigns: [campaign('a', at(-1, 9)), campaign('b', {})] })).to.equal('b - 1');
      });
      it('any of equals, by chance', () => {
        const campaigns = ['a', 'b', 'c'].map((id) => campaign(id));
        expect([0, 0.4, 0.99].map((random) => bid({ campaigns }, anyImp, random))).to.deep.equal([
          'a - 1',
          'b - 1',
          'c - 1',
        ]);
      });
      it('none that is paused', () => {
        const campaigns = [campaign('a', { ...at(1, 9), status: 'paused' }), campaign('b')];
        expect(bid({ campaigns })).to.equal('b - 1');
      });
      it('none without a creative that the imp can show', () => {
        const shows = (imp: object, creative: object) => {
          const view = { ...anyImp, imp: { id: '1', ...imp } };
          const campaigns = [campaign('a', { creative: { creative_id: 'c', ...creative } })];
          return bid({ campaigns }, view) !== null;
        };
        const banner = { image_url: 'https://ads.example/b.png', width: 300, height: 250 };
        const playable = { mimes: ['a/b'] };
        expect(shows({ video: playable }, vast)).to.equal(true);
        expect(shows({ banner: {} }, vast)).to.equal(false);
        expect(shows({ audio: playable }, { ...vast, format: 'audio' })).to.equal(true);
        expect(shows({ native: { request: '' } }, { native: { title: 'T' } })).to.equal(true);
        expect(shows({ banner: { w: 300, h: 250 } }, banner)).to.equal(true);
        expect(shows({ banner: { w: 728, h: 90 } }, banner)).to.equal(false);
        expect(shows({ banner: { api: [5] } }, { html: '<b>', format: 'mraid' })).to.equal(false);
        const phone = { ...anyImp, request: { ...request, device: { devicetype: 4 } } };
        const mraid = [campaign('a', { creative: { creative_id: 'c', html: '<b>', format: 'mraid' } })];
        expect(bid({ campaigns: mraid }, { ...phone, imp: { id: '1', banner: { api: [5] } } })).to.equal('a - 1');
        expect(bid({ campaigns: mraid }, { ...phone, imp: { id: '1', banner: { api: [3] } } })).to.equal(null);
      });
      it('with those of its creatives that fit', () => {
        const creatives = [vast, { creative_id: 'b', image_url: 'https://ads.example/b.png' }];
        const { creative: _, ...rest } = campaign('a');
        const { bid: made } = evaluate(
          { campaigns: [{ ...rest, creatives }] },
          { ...anyImp, imp: { id: '1', banner: {} } },
        );
        expect(made?.creatives.map(({ creative_id }) => creative_id)).to.deep.equal(['b']);
      });
    });

    it('explains every campaign, rule and condition', () => {
      const campaigns = [
        campaign('a', { targeting: { countries: ['AE'] }, bidding: { base_cpm: 2, max_cpm: 3 } }),
        campaign('b', { targeting: { devices: ['mobile'] } }),
      ];
      const rules = [rule('r1', { bid_multiplier: 2 }), rule('r2', { conditions: [fails], schedule: { hours: '3' } })];
      const { bid: made, conditionsEvaluated } = evaluate({ campaigns, rules });
      expect(made?.reason).to.equal('Rule r1 matched, 2 × 2, held to max_cpm 3: bid 3 CPM.');
      expect(made?.baseCpm).to.equal(2);
      expect(conditionsEvaluated).to.deep.equal([
        {
          campaign: 'a',
          matched: true,
          reason: made!.reason,
          targeting: [{ field: 'geo.country', operator: 'in', value: 'AE', actual: 'ARE', matched: true }],
          rules: [
            { rule_id: 'r1', matched: true, conditions: [{ ...holds, actual: 3, matched: true }] },
            {
              rule_id: 'r2',
              matched: false,
              conditions: [
                { ...fails, actual: 3, matched: false },
                { field: 'hour', operator: 'in', value: '3', actual: 14, matched: false },
              ],
            },
          ],
        },
        {
          campaign: 'b',
          matched: false,
          reason: "The request is not in the campaign's targeting: device.devicetype.",
          targeting: [{ field: 'device.devicetype', operator: 'in', value: 'mobile', actual: 3, matched: false }],
          rules: [],
        },
      ]);
    });

    it('holds to its laws, whatever the strategy and the request', () => {
      fc.assert(
        fc.property(
          arbitraryStrategy,
          arbitraryRequest,
          fc.nat(),
          fc.float({ min: 0, max: Math.fround(0.999) }),
          (strategy, view, minutes, random) => {
            const at = { nowMs: nowMs + minutes * 60_000, random: () => random };
            const { bid: made, conditionsEvaluated } = evaluateStrategy(strategy, view, at);
            const byId = new Map(conditionsEvaluated.map((explained) => [explained.campaign, explained]));
            expect(byId.size).to.equal(strategy.campaigns.length);
            for (const { matched, targeting, rules } of conditionsEvaluated) {
              if (!matched) continue;
              expect(targeting.every((demand) => demand.matched)).to.equal(true);
              expect(rules.length === 0 || rules.some((one) => one.matched)).to.equal(true);
            }
            for (const { rules } of conditionsEvaluated) {
              for (const one of rules) expect(one.matched).to.equal(one.conditions.every(({ matched }) => matched));
            }
            const willing = conditionsEvaluated.filter(({ matched }) => matched);
            if (made === null) {
              expect(willing).to.deep.equal([]);
              return;
            }
            const { campaign: bidding } = made.of;
            expect(byId.get(bidding.campaign_id)!.matched).to.equal(true);
            expect(made.bidCpm)
              .to.be.greaterThan(0)
              .and.at.most(bidding.bidding?.max_cpm ?? 10_000);
            expect(cpmOf(cpmMicros(made.bidCpm)), 'whole micro-dollars').to.equal(made.bidCpm);
            // Alone, a campaign bids what it bids among others; no campaign that would bid ranks above the one that
            // bids.
            const alone = willing.map(({ campaign: id }) => {
              const campaigns = strategy.campaigns.filter(({ campaign_id }) => campaign_id === id);
              return evaluateStrategy({ ...strategy, campaigns }, view, at).bid!;
            });
            const rank = (one: typeof made) => [one.of.campaign.priority ?? 0, one.bidCpm] as const;
            const [priority, cpm] = rank(made);
            for (const other of alone) {
              const [otherPriority, otherCpm] = rank(other);
              expect(otherPriority < priority || (otherPriority === priority && otherCpm <= cpm)).to.equal(true);
            }
          },
        ),
        { numRuns: 500 },
      );
    });
  });
