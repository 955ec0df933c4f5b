import { expect } from 'chai';
import { rateLimitAddress } from '#gateways/http/caller-address';
import { proxyWatch } from '#gateways/http/proxy-watch';
import { isPublicUrl } from '#gateways/http/public-url';

describe('gateways/http/proxy-watch', () => {
  const watching = (trustProxyHops: number, publicUrl = 'https://ads.example.com') => {
    const warnings: string[] = [];
    let nowMs = 1_000_000;
    const watch = proxyWatch({
      server: 'edge',
      publicUrl,
      trustProxyHops,
      clock: { now: () => nowMs },
      logger: { warn: (_fields: object, message: string) => warnings.push(message) },
    });
    const call = (times: number, address: string, forwardedFor?: string) => {
      for (let time = 0; time < times; time++) watch({ address, forwardedFor });
    };
    return { warnings, call, move: (byMs: number) => (nowMs += byMs) };
  };

  it('warns once an hour of callers with private addresses on a public host name', () => {
    const { warnings, call, move } = watching(0);
    call(500, '10.0.0.7');
    expect(warnings).to.have.length(1);
    expect(warnings[0]).to.include('private addresses');
    move(3_600_000);
    call(500, '10.0.0.7');
    expect(warnings).to.have.length(2);
  });

  it('warns of X-Forwarded-For where no proxy is expected, and of fewer addresses than proxies', () => {
    const none = watching(0);
    none.call(100, '8.8.8.8', '9.9.9.9');
    expect(none.warnings.join()).to.include('TRUST_PROXY_HOPS is 0');
    const two = watching(2);
    two.call(100, '8.8.8.8', '8.8.8.8');
    expect(two.warnings.join()).to.include('fewer addresses');
  });

  it('is silent of the few probes of a balancer, where all is right, and on a local name', () => {
    const right = watching(1);
    right.call(1_000, '8.8.8.8', '8.8.8.8');
    right.call(5, '10.0.0.7');
    const local = watching(0, 'http://localhost:8080');
    local.call(1_000, '127.0.0.1', '9.9.9.9');
    expect([...right.warnings, ...local.warnings]).to.deep.equal([]);
  });

  it('tells callers behind an unknown balancer apart by what the balancer appended', () => {
    const counted = rateLimitAddress({ trustProxyHops: 0, publicUrl: 'https://ads.example.com' });
    const of = (address: string, forwardedFor: string) => counted({ address, forwardedFor });
    const shared = '10.0.0.7/32';
    expect(of('10.0.0.7', '1.1.1.1, 8.8.8.8')).to.deep.equal({ network: `${shared} for 8.8.8.8/32`, sharedBy: shared });
    expect(of('10.0.0.7', '1.1.1.1, 8.8.8.8:51234').network).to.equal(`${shared} for 8.8.8.8/32`);
    expect(of('10.0.0.7', '')).to.deep.equal({ network: shared, sharedBy: shared });
    expect(of('9.9.9.9', '8.8.8.8')).to.deep.equal({ network: '9.9.9.9/32', sharedBy: null });
  });

  it('knows public host names from local ones', () => {
    const publicOnes = ['https://ads.example.com', 'http://8.8.8.8:80', 'https://x.io/'];
    const local = [
      'http://localhost:8080',
      'http://10.0.0.1',
      'http://exchange',
      'http://a.internal',
      'http://[::1]:1',
      'x',
    ];
    expect([...publicOnes, ...local].map(isPublicUrl)).to.deep.equal([true, true, true, ...local.map(() => false)]);
  });
});
