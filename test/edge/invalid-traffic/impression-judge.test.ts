import { expect } from 'chai';
import { parseIp } from '#edge/addresses/ip-address';
import { NetworkSet, parseNetwork } from '#edge/addresses/network-set';
import type { InvalidReason } from '#exchange/invalid-traffic/invalid-reason';
import { BROWSER_USER_AGENT } from '../../support/browser.ts';
import { type Asked, type Called, Court, MACHINE, VIEWER } from './a-call.ts';

const PHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1';
const GOOGLEBOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';
const NO_SIGN = 100;

/** What `times` sales and calls come to: how many of each verdict. */
function verdicts(court: Court, times: number, asked: Asked, called: Called, afterMs = 5): Record<string, number> {
  const counts: Record<string, number> = {};
  for (let index = 0; index < times; index++) {
    const sold = court.sell(asked);
    court.clock.advance(afterMs);
    const verdict = sold.call(called) ?? 'valid';
    counts[verdict] = (counts[verdict] ?? 0) + 1;
  }
  return counts;
}

describe('verdicts on calls for impressions', () => {
  describe('of televisions, players and servers that stitch ads into streams', () => {
    const STREAMING = [
      'Roku/DVP-12.0 (12.0.0.4183-AE)',
      'AppleTV11,1/11.1',
      'AppleCoreMedia/1.0.0.20K71 (Apple TV; U; CPU OS 16_1 like Mac OS X; en_us)',
      'Dalvik/2.1.0 (Linux; U; Android 9; AFTMM Build/PS7613)',
      'Mozilla/5.0 (SMART-TV; Linux; Tizen 7.0) AppleWebKit/537.36 (KHTML, like Gecko) Version/7.0 TV Safari/537.36',
      'Mozilla/5.0 (Web0S; Linux/SmartTV) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/87.0.4280.88 Safari/537.36',
      'ExoPlayerLib/2.18.1',
    ];
    for (const type of ['ctv', 'mobile', 'web'] as const) {
      it(`are valid, of a ${type} source`, () => {
        for (const ua of STREAMING) {
          const sold = new Court({}, { type }).sell({ isTag: true, device: { ip: VIEWER, ua }, address: VIEWER });
          expect(sold.call({ channel: 'client', address: VIEWER, userAgent: ua }), ua).to.equal(null);
        }
      });

      it(`are valid from a data centre where a server stitches, of a ${type} source`, () => {
        const blockedNetworks = new NetworkSet([parseNetwork('93.184.215.0/24')!]);
        const [ua] = STREAMING;
        const sold = new Court({ blockedNetworks }, { type }).sell({
          isTag: true,
          device: { ip: VIEWER, ua: ua! },
          address: MACHINE,
        });
        expect(sold.call({ channel: 'client', address: MACHINE, userAgent: 'Lavf/58.76.100' })).to.equal(null);
      });
    }
  });

  describe('of a caller that requests ads and calls their impressions itself', () => {
    it('are invalid from the hundred and first of a keyless, unverified source without devices', () => {
      expect(verdicts(new Court(), 1_000, {}, {})).to.deep.equal({ valid: NO_SIGN, 'self-fired': 900 });
    });

    it('are invalid by the pixel too, with the user agent of a browser or none', () => {
      for (const userAgent of ['', 'curl/8.5.0', BROWSER_USER_AGENT]) {
        const found = verdicts(new Court(), 1_000, {}, { channel: 'client', userAgent });
        expect(found, userAgent).to.deep.equal({ valid: NO_SIGN, 'self-fired': 900 });
      }
    });

    it('are invalid however long the machine waits, and from any address of its /64', () => {
      const slow = verdicts(new Court({}), 300, {}, {}, 10_000);
      expect(slow).to.deep.equal({ valid: NO_SIGN, 'self-fired': 200 });
      const court = new Court();
      const asked = { address: '2a02:1:2:3::1' };
      expect(verdicts(court, 300, asked, { address: '2a02:1:2:3:ffff::9' })['self-fired']).to.equal(200);
    });

    it('begin anew with each hour', () => {
      const court = new Court();
      expect(verdicts(court, 150, {}, {})).to.deep.equal({ valid: NO_SIGN, 'self-fired': 50 });
      court.clock.advance(3_600_000);
      expect(verdicts(court, 150, {}, {})).to.deep.equal({ valid: NO_SIGN, 'self-fired': 50 });
    });

    it('hurt no keyed and no verified integration of a server', () => {
      for (const trust of [{ isKeyed: true }, { verified: true }]) {
        for (const channel of ['client', 'server'] as const) {
          expect(verdicts(new Court(), 1_000, trust, { channel }), channel).to.deep.equal({ valid: 1_000 });
        }
      }
    });

    it('do not apply in the sandbox, nor on loopback while private networks are allowed', () => {
      expect(verdicts(new Court(), 500, { sandbox: true }, {})).to.deep.equal({ valid: 500 });
      for (const address of ['127.0.0.1', '::1', '::ffff:10.0.0.7', '192.168.1.4']) {
        const court = new Court({ allowPrivateNetworks: true });
        expect(verdicts(court, 500, { address }, { address }), address).to.deep.equal({ valid: 500 });
      }
      expect(verdicts(new Court(), 500, { address: '10.0.0.7' }, { address: '10.0.0.7' })['self-fired']).to.equal(400);
    });

    it('hurt no browsers that ask and call each for itself, nor tags', () => {
      const court = new Court();
      for (let viewer = 0; viewer < 300; viewer++) {
        const address = `84.23.${viewer % 250}.${viewer >> 8}`;
        expect(court.sell({ address }).call({ address, userAgent: BROWSER_USER_AGENT })).to.equal(null);
      }
      const tag = { isTag: true, device: { ip: VIEWER, ua: BROWSER_USER_AGENT }, address: VIEWER };
      const called = { channel: 'client', address: VIEWER, userAgent: BROWSER_USER_AGENT } as const;
      expect(verdicts(new Court(), 500, tag, called)).to.deep.equal({ valid: 500 });
    });

    it('hurt no server that asks where viewers’ devices call', () => {
      const called = { channel: 'client', address: VIEWER, userAgent: BROWSER_USER_AGENT } as const;
      expect(verdicts(new Court(), 500, {}, called)).to.deep.equal({ valid: 500 });
    });
  });

  describe('of viewers’ devices', () => {
    const device = { ip: VIEWER, ua: PHONE };
    const pixel = (called: Called) => ({ channel: 'client', address: VIEWER, userAgent: PHONE, ...called }) as const;

    it('are valid where the device calls that was asked for', () => {
      expect(new Court().sell({ device }).call(pixel({}))).to.equal(null);
    });

    it('are invalid for bots, crawlers, data centres and other devices', () => {
      const blockedNetworks = new NetworkSet([parseNetwork('93.184.215.0/24')!, parseNetwork('2600:1f00::/24')!]);
      const court = new Court({ blockedNetworks });
      const judged: [Called, InvalidReason][] = [
        [{ userAgent: GOOGLEBOT }, 'named-crawler'],
        [{ userAgent: BROWSER_USER_AGENT.replace('Chrome', 'HeadlessChrome') }, 'bot-user-agent'],
        [{ address: MACHINE }, 'data-centre'],
        [{ address: '2600:1f18::1' }, 'data-centre'],
        [{ address: '91.12.4.4', userAgent: BROWSER_USER_AGENT }, 'other-device'],
      ];
      for (const [called, reason] of judged)
        expect(court.sell({ device }).call(pixel(called)), reason).to.equal(reason);
      expect(court.sell({ device }).call(pixel({ userAgent: BROWSER_USER_AGENT })), 'one household').to.equal(null);
      expect(court.sell({ device }).call(pixel({ address: '91.12.4.4' })), 'a phone on its way').to.equal(null);
    });

    it('are valid for an automated browser that asked by a tag on a private network, while such are allowed', () => {
      const userAgent = BROWSER_USER_AGENT.replace('Chrome', 'HeadlessChrome');
      const address = '127.0.0.1';
      const court = new Court({ allowPrivateNetworks: true });
      const tag = { isTag: true, device: { ip: address, ua: BROWSER_USER_AGENT }, address };
      expect(court.sell(tag).call({ channel: 'client', address, userAgent })).to.equal(null);
      expect(court.sell(tag).call({ channel: 'client', address, userAgent: GOOGLEBOT })).to.equal('named-crawler');
      const asked = { ...tag, isTag: false };
      expect(court.sell(asked).call({ channel: 'client', address, userAgent })).to.equal('bot-user-agent');
      const exposed = new Court().sell(tag);
      expect(exposed.call({ channel: 'client', address, userAgent })).to.equal('bot-user-agent');
    });

    it('are invalid from another country than the request’s', () => {
      const court = new Court({}, { type: 'web' }, (address) => {
        if ('v6' in address) return null;
        return address.v4 === (parseIp(VIEWER) as { v4: number }).v4 ? 'DEU' : 'ARE';
      });
      expect(court.sell({ device }).call(pixel({}))).to.equal(null);
      expect(court.sell({ device }).call(pixel({ address: '91.12.4.4' }))).to.equal('other-country');
      expect(court.sell({ device }).call(pixel({ address: '2a02::1' }))).to.equal(null);
      const stated = { ua: PHONE, geo: { country: 'are' } };
      expect(court.sell({ device: stated }).call(pixel({}))).to.equal('other-country');
      // It roams: its address was abroad when it asked.
      expect(court.sell({ device: { ...device, geo: { country: 'FRA' } } }).call(pixel({}))).to.equal(null);
    });

    it('are a burst beyond ten seconds’ worth of one address, whatever the source', () => {
      const court = new Court({ maxImpressionsPerSecondPerAddress: 5 });
      const burst = () => verdicts(court, 80, { device }, pixel({}), 0);
      expect(burst()).to.deep.equal({ valid: 50, 'address-burst': 30 });
      expect(court.sell({ device }).call(pixel({ address: '84.23.17.10' })), 'its neighbour').to.equal(null);
      court.clock.advance(10_000);
      expect(burst()).to.deep.equal({ valid: 50, 'address-burst': 30 });
    });

    it('are no burst where there is no limit, of a proxy’s private address, and of servers', () => {
      const unlimited = new Court({ maxImpressionsPerSecondPerAddress: 0 });
      expect(verdicts(unlimited, 2_000, { device }, pixel({}), 0)).to.deep.equal({ valid: 2_000 });
      const court = new Court({ maxImpressionsPerSecondPerAddress: 1 });
      expect(verdicts(court, 50, { device }, pixel({ address: '10.0.0.1' }), 0)).to.deep.equal({ valid: 50 });
      expect(verdicts(court, 50, { device, isKeyed: true }, {}, 0)).to.deep.equal({ valid: 50 });
    });
  });

  describe('of servers', () => {
    it('are valid by user agent and network alone, whatever these are', () => {
      const court = new Court({ blockedNetworks: new NetworkSet([parseNetwork('93.184.215.0/24')!]) });
      for (const userAgent of [
        '',
        'curl/8.5.0',
        'node',
        'Java/17',
        'okhttp/4.12.0',
        'Inserter/2',
        BROWSER_USER_AGENT,
      ]) {
        const sold = court.sell({ device: { ip: VIEWER, ua: PHONE } });
        expect(sold.call({ userAgent }), userAgent).to.equal(null);
      }
      for (const userAgent of ['', 'curl/8.5.0', 'node', 'Java/17', 'Go-http-client/2.0']) {
        expect(court.sell({}).call({ channel: 'client', userAgent }), userAgent).to.equal(null);
      }
    });

    it('are judged by the device that server-side insertion forwards', () => {
      const court = new Court({ blockedNetworks: new NetworkSet([parseNetwork('93.184.215.0/24')!]) });
      const device = { ip: VIEWER, ua: 'Roku/DVP-12.5' };
      const forward = (deviceUserAgent: string, deviceAddress = VIEWER, channel: Called['channel'] = 'client') =>
        court.sell({ device }).call({ channel, userAgent: BROWSER_USER_AGENT, deviceAddress, deviceUserAgent });
      for (const channel of ['client', 'server'] as const) {
        expect(forward('Roku/DVP-12.5', VIEWER, channel)).to.equal(null);
        expect(forward(GOOGLEBOT, VIEWER, channel)).to.equal('named-crawler');
        expect(forward('curl/8.5.0', VIEWER, channel)).to.equal('bot-user-agent');
        expect(forward('Roku/DVP-12.5', '93.184.215.77', channel)).to.equal('data-centre');
        expect(forward(PHONE, '91.12.4.4', channel)).to.equal('other-device');
      }
      expect(forward('Roku/DVP-12.5', 'no address')).to.equal(null);
    });

    it('in an app may have the user agent of its SDK', () => {
      const court = new Court({}, { type: 'mobile', billingNotice: 'client' });
      const call = (userAgent: string) => court.sell({}).call({ channel: 'client', address: VIEWER, userAgent });
      expect(call('okhttp/4.12.0')).to.equal(null);
      expect(call('ExoPlayerLib/2.18.1')).to.equal(null);
      expect(call('curl/8.5.0')).to.equal('bot-user-agent');
    });
  });

  it('go by the channel that the source declares', () => {
    const client = new Court({}, { type: 'web', billingNotice: 'client' });
    const server = new Court({}, { type: 'web', billingNotice: 'server' });
    const device = { ip: VIEWER, ua: PHONE };
    const viewer = { channel: 'client', address: VIEWER, userAgent: PHONE } as const;
    expect(client.sell({ device }).call(viewer)).to.equal(null);
    expect(client.sell({ device }).call({})).to.equal('undeclared-channel');
    expect(client.sell({ device }).call({ ...viewer, userAgent: '' })).to.equal('bot-user-agent');
    expect(server.sell({ device }).call({})).to.equal(null);
    expect(server.sell({ device }).call(viewer)).to.equal('undeclared-channel');
    expect(server.sell({ device, sandbox: true }).call(viewer)).to.equal('undeclared-channel');
  });

  it('say nothing against a source that is not known here, nor a call whose address is not', () => {
    expect(new Court({}, null).sell({}).call({ address: '' })).to.equal(null);
    expect(new Court().sell({ address: '' }).call({ address: 'unknown' })).to.equal(null);
  });
});
