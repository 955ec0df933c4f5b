import { expect } from 'chai';
import { isPublicAddress, namesForbiddenAddress } from '#gateways/http/address-guard';

describe('address guard', () => {
  for (const address of ['8.8.8.8', '1.1.1.1', '2606:4700:4700::1111', '2001:4860:4860::8888', '::ffff:8.8.8.8']) {
    it(`${address} is public`, () => expect(isPublicAddress(address)).to.equal(true));
  }
  for (const address of [
    '127.0.0.1',
    '10.1.2.3',
    '172.31.255.255',
    '192.168.0.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '255.255.255.255',
    '::1',
    '::',
    'fe80::1',
    'fd00::1',
    '::ffff:127.0.0.1',
    '::ffff:a00:1',
    '64:ff9b::7f00:1',
    '64:ff9b:1::7f00:1',
    '::127.0.0.1',
    '2002:7f00:1::',
    '2002:a00:1::1',
    '2001::1',
    '3fff::1',
    '5f00::1',
    'fec0::1',
    '100:0:0:1::1',
    '4000::1',
    'fe80::1%eth0',
    '::1%lo',
    '192.88.99.1',
    'not-an-address',
  ]) {
    it(`${address} is not`, () => expect(isPublicAddress(address)).to.equal(false));
  }

  for (const url of [
    'http://127.0.0.1:1/',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://[::1]/',
    'https://10.0.0.1/bid',
  ]) {
    it(`refuses the literal in ${url}`, () => expect(namesForbiddenAddress(new URL(url))).to.equal(true));
  }

  for (const url of ['https://8.8.8.8/', 'https://bidder.example/', 'https://localhost/']) {
    it(`leaves ${url} to the look-up`, () => expect(namesForbiddenAddress(new URL(url))).to.equal(false));
  }
});
