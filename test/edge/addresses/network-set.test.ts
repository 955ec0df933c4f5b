import { BlockList, isIP } from 'node:net';
import { expect } from 'chai';
import fc from 'fast-check';
import { parseIp } from '#edge/addresses/ip-address';
import { NetworkSet, parseNetwork } from '#edge/addresses/network-set';

/** Few values for each part, so that addresses fall into networks. */
const v4 = fc.tuple(...[1, 2, 3, 4].map(() => fc.constantFrom(0, 1, 2, 127, 128, 255))).map((parts) => parts.join('.'));
const v6 = fc
  .tuple(
    fc.constantFrom('2a02', '8000', 'ffff'),
    ...[2, 3, 4, 5, 6, 7, 8].map(() => fc.constantFrom('0', '1', 'ffff', '8000', '2a02')),
  )
  .map((parts) => parts.join(':'));
const address = fc.oneof(v4, v6);
const network = fc.oneof(fc.tuple(v4, fc.integer({ min: 0, max: 32 })), fc.tuple(v6, fc.integer({ min: 3, max: 128 })));

describe('a set of networks', () => {
  it('holds what Node’s linear list holds', () => {
    fc.assert(
      fc.property(
        fc.array(network, { maxLength: 40 }),
        fc.array(address, { minLength: 1, maxLength: 40 }),
        (nets, asked) => {
          const list = new BlockList();
          for (const [net, prefix] of nets) list.addSubnet(net, prefix, isIP(net) === 4 ? 'ipv4' : 'ipv6');
          const set = new NetworkSet(nets.map(([net, prefix]) => parseNetwork(`${net}/${prefix}`)!));
          for (const one of asked) {
            expect(set.has(parseIp(one)!), one).to.equal(list.check(one, isIP(one) === 4 ? 'ipv4' : 'ipv6'));
          }
        },
      ),
      { numRuns: 500 },
    );
  });

  it('reads addresses as Node does', () => {
    const text = fc.oneof(
      address,
      fc.ipV4(),
      fc.ipV6(),
      fc.string({ maxLength: 20 }),
      fc.stringMatching(/^[0-9a-f:.%/]{0,20}$/),
    );
    fc.assert(
      fc.property(text, (one) => {
        expect(parseIp(one) !== null, one).to.equal(isIP(one) !== 0);
      }),
      { numRuns: 2_000 },
    );
  });

  it('reads compressed and mapped addresses', () => {
    expect(parseIp('2001:db8::1')).to.deep.equal({ v6: [0x20010db8, 0, 0, 1] });
    expect(parseIp('::')).to.deep.equal({ v6: [0, 0, 0, 0] });
    expect(parseIp('1::')).to.deep.equal({ v6: [0x10000, 0, 0, 0] });
    expect(parseIp('64:ff9b::192.0.2.33')).to.deep.equal({ v6: [0x64ff9b, 0, 0, 0xc0000221] });
    expect(parseIp('::ffff:192.0.2.33')).to.deep.equal({ v4: 0xc0000221 });
    expect(parseIp('fe80::1%eth0')).to.deep.equal({ v6: [0xfe800000, 0, 0, 1] });
  });

  for (const wrong of [
    '',
    'example.com',
    '10.0.0.0/33',
    '10.0.0/8',
    '::/129',
    '10.0.0.0/',
    '10.0.0.0/8/8',
    '::ffff:10.0.0.0/90',
    '-1',
  ]) {
    it(`“${wrong}” is no network`, () => expect(parseNetwork(wrong)).to.equal(null));
  }

  it('takes a single address, and a v4 network that is written in v6', () => {
    const set = new NetworkSet([
      parseNetwork('9.9.9.9')!,
      parseNetwork('::ffff:10.0.0.0/104')!,
      parseNetwork(' 2a02::7 ')!,
    ]);
    const held = ['9.9.9.9', '10.255.0.1', '2a02::7'].map((one) => set.has(parseIp(one)!));
    const outside = ['9.9.9.8', '11.0.0.0', '2a02::8'].map((one) => set.has(parseIp(one)!));
    expect([held, outside]).to.deep.equal([
      [true, true, true],
      [false, false, false],
    ]);
  });
});
