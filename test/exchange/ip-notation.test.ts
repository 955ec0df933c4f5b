import { isIPv4, isIPv6 } from 'node:net';
import { expect } from 'chai';
import fc from 'fast-check';
import { truncateAddress } from '../../exchange/consent/truncate-address.ts';
import { parseIpv4, parseIpv6 } from '../../exchange/ip-notation.ts';

/** Texts that are addresses, and many that are nearly. */
const v4 = fc
  .array(fc.oneof(fc.nat(300).map(String), fc.constantFrom('', '01', '0', 'a')), { minLength: 3, maxLength: 5 })
  .map((parts) => parts.join('.'));
const group = fc.oneof(
  fc.nat(0xffff).map((value) => value.toString(16)),
  fc.constantFrom('', '0', '00FF', '12345', 'g'),
);
const nearlyV6 = fc
  .tuple(fc.array(fc.oneof({ weight: 8, arbitrary: group }, v4), { minLength: 1, maxLength: 9 }), fc.boolean())
  .map(([parts, zeros]) => (zeros ? parts.join(':').replace(/:/, '::') : parts.join(':')));
const v6 = fc.oneof(fc.ipV6(), nearlyV6);

describe('exchange/ip-notation', () => {
  it('takes for IPv4 what Node.js takes for it', () => {
    fc.assert(fc.property(fc.oneof(fc.ipV4(), v4), (text) => (parseIpv4(text) !== null) === isIPv4(text)));
  });

  it('takes for IPv6 what Node.js takes for it', () => {
    fc.assert(
      fc.property(v6, (text) => (parseIpv6(text) !== null) === isIPv6(text)),
      { numRuns: 2_000 },
    );
  });

  it('reads the groups that the parser of URLs reads', () => {
    fc.assert(
      fc.property(v6, (text) => {
        const groups = parseIpv6(text);
        fc.pre(groups !== null);
        const written = groups!.map((one) => one.toString(16)).join(':');
        return new URL(`http://[${text}]`).hostname === new URL(`http://[${written}]`).hostname;
      }),
      { numRuns: 1_000 },
    );
  });

  it('truncates as the canonical text of an address is shortened', () => {
    const zeros = fc.array(fc.constantFrom('0', '1', 'db8'), { minLength: 8, maxLength: 8 });
    fc.assert(
      fc.property(zeros, (groups) => {
        const text = groups.join(':');
        const [head = ''] = new URL(`http://[${text}]`).hostname.slice(1, -1).split('::');
        const kept = head === '' ? [] : head.split(':').slice(0, 3);
        expect(truncateAddress(text), text).to.equal(`${kept.join(':')}::`);
      }),
      { numRuns: 1_000 },
    );
  });
});
