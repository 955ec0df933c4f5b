import { expect } from 'chai';
import type { BidRequest } from '#exchange/openrtb/bid-request';
import { applyExchangePolicy } from '#exchange/openrtb/exchange-policy';
import type { Condition, Operator } from '#exchange/strategy/document/rule';
import { type ConditionExplained, explainCampaigns } from '#exchange/strategy/index/explain-campaigns';
import { fieldKind } from '#exchange/strategy/openrtb-fields';
import type { TargetingContext } from '#exchange/strategy/read-field';
import { explainCondition as explainNaively } from './naive/condition.ts';

const imp = { id: '2', video: { mimes: ['video/mp4', 'video/webm'] }, bidfloor: 1.5 };
const request: BidRequest = {
  id: '1',
  imp: [{ id: '1', banner: {}, bidfloor: 9 }, imp],
  app: {
    bundle: 'com.example.tv',
    cat: ['IAB1', 'IAB1-6'],
    content: { genre: 'Drama', livestream: 0 },
    publisher: { id: 'p1' },
  },
  device: { devicetype: 3, os: 'Tizen', osv: '6.5', ...{ hwv: '7.0' }, geo: { country: 'ARE', city: 'Dubai' }, dnt: 0 },
  user: {
    eids: [{ source: 'a.example', uids: [{ id: 'x' }] }, { source: 'b.example' }],
    ext: { vip: true, lists: [[1, [['deep']]], { a: [{ b: 2 }] }] },
  },
};
const view: TargetingContext = { request, imp, publisherGenre: 'sport' };

const creative = { creative_id: 'c', vast_url: 'https://ads.example/v.xml' };

/** As the only one of a rule. */
function explainAsRule(condition: Condition, of: TargetingContext): ConditionExplained {
  const campaign = { campaign_id: 'c', campaign_name: 'C', creative };
  const rules = [{ rule_id: 'r', campaign_id: 'c', conditions: [condition] }];
  const at = { nowMs: 0, random: () => 0 };
  const { conditionsEvaluated } = explainCampaigns([{ campaign, rules, defaultBidCpm: 1, paused: false }], of, at);
  return conditionsEvaluated[0]!.rules[0]!.conditions[0]!;
}

for (const [name, explainCondition] of [
  ['index/explain-campaigns', explainAsRule],
  ['naive', explainNaively],
] as const)
  describe(`exchange/strategy/${name}: a condition`, () => {
    const cases: readonly [string, Operator, string, boolean][] = [
      ['device.devicetype', 'eq', '3', true],
      ['device.devicetype', 'eq', '3.0', true],
      ['device.devicetype', 'eq', '30', false],
      ['device.devicetype', 'neq', '3', false],
      ['device.devicetype', 'neq', '4', true],
      ['device.devicetype', 'in', '1, 3', true],
      ['device.devicetype', 'in', '1,33', false],
      ['device.devicetype', 'not_in', '1,2', true],
      ['device.devicetype', 'not_in', '2,3', false],
      ['device.devicetype', 'gt', '2', true],
      ['device.devicetype', 'gt', '3', false],
      ['device.devicetype', 'gte', '3', true],
      ['device.devicetype', 'lt', '10', true],
      ['device.devicetype', 'lt', '3', false],
      ['device.devicetype', 'lte', '3', true],
      ['device.dnt', 'eq', '0', true],
      // Text that spells a number is one where sizes are compared, and text where it is matched.
      ['device.osv', 'gte', '6.4', true],
      ['device.os', 'gte', '0', false],
      ['device.osv', 'eq', '6.50', false],
      // Versions compare as versions.
      ['device.osv', 'eq', '6.5.0', true],
      ['device.osv', 'in', '6, 06.5', true],
      ['device.osv', 'not_in', '6.5.0', false],
      ['device.osv', 'lt', '6.10', true],
      ['device.osv', 'gt', '6.10', false],
      ['device.osv', 'gte', '6.5.0.0', true],
      ['device.osv', 'gt', '6', true],
      ['device.hwv', 'eq', '7', true],
      ['device.hwv', 'gte', '7', true],
      ['device.hwv', 'lte', '7', true],
      ['device.hwv', 'neq', '7', false],
      ['device.hwv', 'gt', '7', false],
      ['device.hwv', 'starts_with', '7.0', true],
      // Without regard to case.
      ['device.os', 'eq', 'tizen', true],
      ['device.os', 'contains', 'IZE', true],
      ['device.os', 'contains', 'roku', false],
      ['device.os', 'starts_with', 'ti', true],
      ['device.os', 'starts_with', 'zen', false],
      // Countries are the same by two letters and by three.
      ['geo.country', 'eq', 'AE', true],
      ['device.geo.country', 'eq', 'are', true],
      ['geo.country', 'in', 'US,AE', true],
      ['geo.country', 'neq', 'AE', false],
      ['geo.country', 'not_in', 'US,GB', true],
      ['geo.city', 'eq', 'dubai', true],
      // Site or app content, and the publisher's genre only where the content has none.
      ['content.genre', 'eq', 'drama', true],
      ['app.content.genre', 'eq', 'drama', true],
      ['content.genre', 'eq', 'sport', false],
      ['content.livestream', 'eq', '0', true],
      // One element is enough; the negative operators want none.
      ['app.cat', 'eq', 'IAB1-6', true],
      ['app.cat', 'in', 'IAB2,IAB1', true],
      ['app.cat', 'neq', 'IAB1', false],
      ['app.cat', 'not_in', 'IAB2', true],
      ['app.cat', 'starts_with', 'IAB1-', true],
      ['user.eids.source', 'eq', 'b.example', true],
      ['user.eids.uids.id', 'eq', 'x', true],
      ['imp.video.mimes', 'contains', 'webm', true],
      // Of the imp that is bid on.
      ['imp.bidfloor', 'lte', '2', true],
      ['imp.banner', 'exists', 'false', true],
      ['imp.video', 'exists', 'true', true],
      ['user.ext.vip', 'eq', 'true', true],
      // However deep a list lies in another.
      ['user.ext.lists', 'eq', 'deep', true],
      ['user.ext.lists.a.b', 'eq', '2', true],
      ['user.ext.lists.b', 'exists', 'false', true],
      ['user.ext.toString', 'exists', 'false', true],
    ];
    for (const [field, operator, value, matched] of cases) {
      it(`${field} ${operator} ${value}: ${matched}`, () => {
        expect(fieldKind(field), 'a path that the validator passes').not.to.equal(null);
        expect(explainCondition({ field, operator, value }, view).matched).to.equal(matched);
      });
    }

    it('on an absent field, all operators are false but neq, not_in and exists "false"', () => {
      const holding: string[] = [];
      const values: [Operator, string][] = [
        ['eq', '1'],
        ['neq', '1'],
        ['in', '1'],
        ['not_in', '1'],
        ['gt', '0'],
        ['gte', '0'],
        ['lt', '9'],
        ['lte', '9'],
        ['contains', 'a'],
        ['starts_with', 'a'],
        ['exists', 'true'],
        ['exists', 'false'],
      ];
      for (const field of ['device.ppi', 'site.domain', 'user.yob', 'regs.ext.none.at.all', 'app.pagecat']) {
        for (const [operator, value] of values) {
          if (explainCondition({ field, operator, value }, view).matched) holding.push(`${operator} ${value}`);
        }
      }
      expect(new Set(holding)).to.deep.equal(new Set(['neq 1', 'not_in 1', 'exists false']));
    });

    it('takes null and empty lists for absent', () => {
      const document = { ...request, app: { cat: [], bundle: null } } as unknown as BidRequest;
      for (const field of ['app.cat', 'app.bundle']) {
        const { matched, actual } = explainCondition(
          { field, operator: 'exists', value: 'false' },
          { ...view, request: document },
        );
        expect([matched, actual]).to.deep.equal([true, null]);
      }
    });

    it('shows what is there: nothing, one thing, several', () => {
      const actual = (field: string) => explainCondition({ field, operator: 'exists', value: 'true' }, view).actual;
      expect(actual('device.ppi')).to.equal(null);
      expect(actual('device.devicetype')).to.equal(3);
      expect(actual('app.cat')).to.deep.equal(['IAB1', 'IAB1-6']);
    });

    it("fills a missing genre with the publisher's", () => {
      const { content: _, ...app } = request.app!;
      const without = { ...view, request: { ...request, app } };
      const genre = (field: string, of: TargetingContext) =>
        explainCondition({ field, operator: 'eq', value: 'sport' }, of);
      expect(genre('content.genre', without)).to.include({ matched: true, actual: 'sport' });
      expect(genre('app.content.genre', without).matched).to.equal(true);
      expect(genre('site.content.genre', without).matched).to.equal(false);
      expect(genre('content.genre', { ...without, publisherGenre: null })).to.include({ matched: false, actual: null });
    });

    it('takes an empty genre for a missing one, as bidders see it', () => {
      const app = { ...request.app!, content: { genre: '' } };
      const empty = { ...view, request: { ...request, app } };
      for (const field of ['content.genre', 'app.content.genre']) {
        const exists = (of: TargetingContext) => explainCondition({ field, operator: 'exists', value: 'true' }, of);
        expect(exists(empty), field).to.include({ matched: true, actual: 'sport' });
        expect(exists({ ...empty, publisherGenre: null }), field).to.include({ matched: false, actual: null });
      }
      const terms = { tmaxMs: 100, blockedCategories: [], blockedDomains: [], floorCpmMicros: 0 };
      const offered = applyExchangePolicy(empty.request, { ...terms, contentGenre: empty.publisherGenre });
      expect(offered.app!.content!.genre).to.equal('sport');
    });

    it('knows the paths of a bid request', () => {
      for (const path of [
        'imp.pmp.deals.id',
        'user.geo.country',
        'source.schain.nodes.asi',
        'site.ext.a.b',
        'dooh.venuetype',
      ]) {
        expect(fieldKind(path), path).not.to.equal(null);
      }
      for (const path of ['', 'device', 'imp[0].id', 'devices.os', 'toString', 'ext.a..b', 'device.os.name']) {
        expect(['object', null], path).to.include(fieldKind(path));
      }
    });
  });
