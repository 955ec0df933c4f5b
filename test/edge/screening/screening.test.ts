import { expect } from 'chai';
import type { PublisherProjection } from '#actors/publisher/fields';
import { NetworkSet, parseNetwork } from '#edge/addresses/network-set';
import { RequestScreening, type ScreenedRequest } from '#edge/screening/screen-request';
import { DEFAULT_SCREENING_SETTINGS, type ScreeningSettings } from '#edge/screening/settings';
import type { BlockReason } from '#exchange/fraud/block-reason';
import type { BidRequest } from '#exchange/openrtb/bid-request';
import type { Device } from '#exchange/openrtb/fields/device';
import { BROWSER_USER_AGENT } from '../../support/browser.ts';

const SITE = { id: 'pub-1', domain: 'site.example' };

function context(device: Device | undefined, fields: Partial<BidRequest> = {}, sandbox = false): ScreenedRequest {
  const publisher = { id: 'pub-1', domain: 'site.example', type: 'web' } as PublisherProjection;
  const request = { id: 'request', imp: [], site: SITE, device, ...fields } as unknown as BidRequest;
  const askedBy = { address: '198.51.100.7', isKeyed: false, isTag: false };
  return { request, publisher, pool: null, sandbox, askedBy, verified: false };
}

describe('screening of ad requests', () => {
  let nowMs = 0;
  const screening = (settings: Partial<ScreeningSettings> = {}) =>
    new RequestScreening(
      { ...DEFAULT_SCREENING_SETTINGS, ...settings },
      { now: () => nowMs, monotonic: () => nowMs, after: () => () => undefined },
    );
  beforeEach(() => {
    nowMs = 5_000;
  });

  describe('by the device’s address', () => {
    const blockedNetworks = new NetworkSet(['5.6.0.0/16', '2a00:1234::/32'].map((network) => parseNetwork(network)!));
    const cases: readonly (readonly [Device, BlockReason | null])[] = [
      [{ ip: '91.12.44.7' }, null],
      [{ ipv6: '2a02:810d:1::7' }, null],
      [{ ip: '10.1.2.3' }, 'private-address'],
      [{ ip: '127.0.0.1' }, 'private-address'],
      [{ ip: '100.64.3.2' }, 'private-address'],
      [{ ip: '203.0.113.9' }, 'private-address'],
      [{ ip: '255.255.255.255' }, 'private-address'],
      [{ ipv6: '::1' }, 'private-address'],
      [{ ipv6: 'fd00::1' }, 'private-address'],
      [{ ipv6: 'fe80::1%eth0' }, 'private-address'],
      [{ ipv6: '::ffff:192.168.0.1' }, 'private-address'],
      [{ ip: '91.12.44.7', ipv6: 'fe80::1' }, 'private-address'],
      [{ ip: '5.6.255.255' }, 'blocked-network'],
      [{ ip: '5.7.0.0' }, null],
      [{ ipv6: '2a00:1234:ffff::1' }, 'blocked-network'],
      [{ ipv6: '::ffff:5.6.7.8' }, 'blocked-network'],
      [{ ip: '' }, null],
      [{ ip: 'none of your business' }, null],
      [{}, null],
    ];
    for (const [device, reason] of cases) {
      it(`${JSON.stringify(device)}: ${reason}`, () => {
        expect(screening({ blockedNetworks }).blockReason(context(device))).to.equal(reason);
      });
    }
    it('lets private addresses pass where they are allowed, and blocked networks nowhere', () => {
      const allowing = screening({ allowPrivateNetworks: true, blockedNetworks });
      expect(allowing.blockReason(context({ ip: '127.0.0.1' }))).to.equal(null);
      expect(allowing.blockReason(context({ ip: '5.6.7.8' }))).to.equal('blocked-network');
    });
    it('lets a request without a device pass', () => {
      expect(screening().blockReason(context(undefined))).to.equal(null);
    });
  });

  it('turns bots away, however often they come', () => {
    const judge = screening();
    for (let time = 0; time < 3; time++) {
      expect(
        judge.blockReason(context({ ua: 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://google.example/bot)' })),
      ).to.equal('bot');
      expect(judge.blockReason(context({ ua: BROWSER_USER_AGENT }))).to.equal(null);
    }
    expect(judge.blockReason(context({ ua: `curl/${'8'.repeat(100_000)}` }))).to.equal('bot');
  });

  it('turns away what names another site, before it looks at anything else', () => {
    expect(
      screening().blockReason(context({ ip: '10.0.0.1' }, { site: { ...SITE, domain: 'rival.example' } })),
    ).to.equal('site-mismatch');
  });

  it('limits each address and each device by itself, and lets the rate through', () => {
    const judge = screening({ maxRequestsPerSecondPerAddress: 2, maxRequestsPerSecondPerDevice: 1 });
    const from = (ip: string, ifa: string) => judge.blockReason(context({ ip, ifa }));
    for (let time = 0; time < 10; time++) expect(from('91.12.44.7', 'one phone')).to.equal(null);
    expect(from('91.12.44.7', 'one phone')).to.equal('device-flood');
    expect(from('91.12.99.9', 'one phone'), 'the device, wherever it is').to.equal('device-flood');
    for (let time = 0; time < 10; time++) expect(from('91.12.44.7', `phone no. ${time}`)).to.equal(null);
    expect(from('91.12.44.7', 'another phone')).to.equal('address-flood');
    expect(from('91.12.44.8', 'a phone at another address')).to.equal(null);
    nowMs += 500;
    expect(from('91.12.44.7', 'a third phone'), 'half a second is one more').to.equal(null);
    expect(from('91.12.44.7', 'a fourth phone')).to.equal('address-flood');
    nowMs += 3_600_000;
    for (let time = 0; time < 10; time++) expect(from('91.12.44.7', 'one phone')).to.equal(null);
    expect(from('91.12.44.7', 'one phone'), 'no more than full').to.equal('device-flood');
  });

  it('takes a /64 of IPv6 for one customer', () => {
    const judge = screening({ maxRequestsPerSecondPerAddress: 1 });
    for (let time = 0; time < 10; time++) {
      expect(judge.blockReason(context({ ipv6: `2a02:810d:1:2::${time}` }))).to.equal(null);
    }
    expect(judge.blockReason(context({ ipv6: '2a02:810d:1:2:abcd::1' }))).to.equal('address-flood');
    expect(judge.blockReason(context({ ipv6: '2a02:810d:1:3::1' }))).to.equal(null);
  });

  it('does not take a withheld advertising id for one device', () => {
    const judge = screening({ maxRequestsPerSecondPerDevice: 1 });
    const ids = ['00000000-0000-0000-0000-000000000000', '-1', '-2', 'null'].flatMap((id) => [
      { ifa: id },
      { didsha1: id },
    ]);
    for (const device of ids) {
      for (let time = 0; time < 100; time++) expect(judge.blockReason(context(device))).to.equal(null);
    }
  });

  it('limits nothing where the limit is 0', () => {
    const judge = screening({ maxRequestsPerSecondPerAddress: 0, maxRequestsPerSecondPerDevice: 0, replayWindowMs: 0 });
    for (let time = 0; time < 5_000; time++)
      expect(judge.blockReason(context({ ip: '91.12.44.7', ifa: 'a' }))).to.equal(null);
    expect(judge.replayKeyOf(context({}))).to.equal(null);
  });

  it('takes an id of a publisher once in the window', () => {
    const judge = screening({ replayWindowMs: 60_000 });
    const asked = (id: string, publisherId = 'pub-1') => {
      const placed = context(undefined, { id });
      return judge.isReplay(judge.replayKeyOf({ ...placed, publisher: { ...placed.publisher, id: publisherId } })!);
    };
    expect([asked('a'), asked('a'), asked('b'), asked('a', 'pub-2')]).to.deep.equal([false, true, false, false]);
    nowMs += 59_999;
    expect(asked('a')).to.equal(true);
    nowMs += 120_000;
    expect(asked('a')).to.equal(false);
  });

  it('takes the same id again with other imps, and none of them twice', () => {
    const judge = screening();
    const asked = (...imp: object[]) =>
      judge.isReplay(judge.replayKeyOf(context(undefined, { id: 'a', imp: imp as never }))!);
    const [first, second] = [
      { id: '1', banner: {} },
      { id: '2', banner: {} },
    ];
    expect([asked(first), asked(second), asked(first, second)]).to.deep.equal([false, false, false]);
    expect([asked({ id: '1', video: {} }), asked(first), asked(second)]).to.deep.equal([false, true, true]);
  });

  it('takes an id again that got no answer', () => {
    const judge = screening();
    const name = judge.replayKeyOf(context({}))!;
    expect(judge.isReplay(name)).to.equal(false);
    judge.forget(name);
    expect(judge.isReplay(name)).to.equal(false);
    expect(judge.isReplay(name)).to.equal(true);
  });

  it('exempts the sandbox from all but its identity', () => {
    const judge = screening({ maxRequestsPerSecondPerAddress: 1 });
    for (let time = 0; time < 50; time++) {
      const placed = context({ ua: 'curl/8.5.0', ip: '127.0.0.1' }, {}, true);
      expect(judge.blockReason(placed)).to.equal(null);
      expect(judge.replayKeyOf(placed)).to.equal(null);
    }
    expect(judge.blockReason(context({}, { site: { domain: 'rival.example' } }, true))).to.equal('site-mismatch');
  });
});
