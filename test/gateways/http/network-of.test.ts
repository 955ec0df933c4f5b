import { expect } from 'chai';
import { networkOf } from '#gateways/http/network-of';

describe('gateways/http/network-of', () => {
  for (const [address, network] of [
    ['192.0.2.77', '192.0.2.0/24'],
    ['::ffff:192.0.2.77', '192.0.2.0/24'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:0:0:0:0:0/48'],
    ['2001:0DB8:0001::6', '2001:db8:1:0:0:0:0:0/48'],
    ['::1', '0:0:0:0:0:0:0:0/48'],
    ['fe80::1%eth0', 'fe80:0:0:0:0:0:0:0/48'],
    ['64:ff9b::192.0.2.33', '64:ff9b:0:0:0:0:0:0/48'],
    ['', 'unknown'],
    ['evil\nline', 'unknown'],
  ] as const) {
    it(`${JSON.stringify(address)} is in ${network}`, () => {
      expect(networkOf(address, { v4: 24, v6: 48 })).to.equal(network);
    });
  }

  it('keeps whole addresses whole', () => {
    expect(networkOf('192.0.2.77', { v4: 32, v6: 64 })).to.equal('192.0.2.77/32');
    expect(networkOf('2001:db8::7', { v4: 32, v6: 64 })).to.equal('2001:db8:0:0:0:0:0:0/64');
  });
});
