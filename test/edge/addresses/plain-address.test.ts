import { expect } from 'chai';
import { plainAddress } from '#edge/addresses/plain-address';

describe('edge/addresses/plain-address', () => {
  for (const [stated, address] of [
    ['198.51.100.7', '198.51.100.7'],
    ['2001:db8::7', '2001:db8::7'],
    ['fe80::1%eth0', 'fe80::1%eth0'],
    ['::ffff:198.51.100.7', '198.51.100.7'],
    ['198.51.100.7:51234', '198.51.100.7'],
    ['[2001:db8::7]:51234', '2001:db8::7'],
    ['[2001:db8::7]', '2001:db8::7'],
    ['[::ffff:198.51.100.7]:443', '198.51.100.7'],
    ['unknown', ''],
    ['_hidden', ''],
    ['', ''],
    ['198.51.100.7:', ''],
    ['198.51.100.700:80', ''],
    ['[here]:80', ''],
  ] as const) {
    it(`${JSON.stringify(stated)} is ${JSON.stringify(address)}`, () => {
      expect(plainAddress(stated)).to.equal(address);
    });
  }
});
