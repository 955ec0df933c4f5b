import dns from 'node:dns';
import { expect } from 'chai';
import { AddressForbidden } from '#gateways/http/address-guard';
import { dnsLookups } from '#gateways/http/dns-addresses';
import type { FindAddresses } from '#gateways/http/name-lookups';
import { publicAddresses, publicAddressesOf } from '#gateways/http/public-addresses';
import { type DnsServer, startDnsServer } from '#test/support/dns-server';

describe('gateways/http/dns-addresses', () => {
  let server: DnsServer;
  let find: FindAddresses;

  beforeEach(async () => {
    server = await startDnsServer({
      'both.test': { v4: [1, 2], v6: [3] },
      'four.test': { v4: [4] },
      'six.test': { v6: [6] },
      'none.test': {},
      'slow.test': { v4: [7], hangs: true },
    });
    find = dnsLookups([server.address]);
  });
  afterEach(() => server.close());

  const codeOf = (found: Promise<unknown>) => found.then(String, ({ code }) => code);

  it('gives the addresses of both families, those of IPv4 first', async () => {
    expect(await find('both.test')).to.deep.equal([
      { address: '203.0.113.1', family: 4 },
      { address: '203.0.113.2', family: 4 },
      { address: '2606:4700::3', family: 6 },
    ]);
    expect(await find('four.test')).to.deep.equal([{ address: '203.0.113.4', family: 4 }]);
    expect(await find('six.test')).to.deep.equal([{ address: '2606:4700::6', family: 6 }]);
  });

  it('fails with what the DNS says', async () => {
    expect(await codeOf(find('none.test'))).to.equal('ENODATA');
    expect(await codeOf(find('unheard-of.test'))).to.equal('ENOTFOUND');
    expect(await codeOf(find('of-no.name..test'))).to.equal('EBADNAME');
  });

  it('asks once for a name that hangs, however many wait for it, and delays no other name for that', async () => {
    const waiting = Array.from({ length: 200 }, () => find('slow.test'));
    await server.waitForQueries('slow.test', 2);
    expect(await find('four.test')).to.have.length(1);
    const system = await new Promise((resolve, reject) => {
      dns.lookup('localhost', (error, address) => (error ? reject(error) : resolve(address)));
    });
    expect(system, 'no thread is taken').to.be.a('string');
    server.release('slow.test');
    for (const found of await Promise.all(waiting)) {
      expect(found).to.deep.equal([{ address: '203.0.113.7', family: 4 }]);
    }
  });

  it('keeps nothing: a name that is looked up again is asked for again', async () => {
    await find('four.test');
    server.names.set('four.test', { v4: [8] });
    expect(await find('four.test')).to.deep.equal([{ address: '203.0.113.8', family: 4 }]);
  });

  it('leaves only public addresses, and refuses a name without one', async () => {
    const findPublic = publicAddressesOf(find);
    expect(await findPublic('six.test')).to.deep.equal([{ address: '2606:4700::6', family: 6 }]);
    expect(await findPublic('both.test'), '203.0.113.0/24 is for documentation').to.deep.equal([
      { address: '2606:4700::3', family: 6 },
    ]);
    expect(await codeOf(findPublic('four.test'))).to.equal('ADDRESS_FORBIDDEN');
  });

  it('refuses names of this machine without asking for them', async () => {
    for (const name of ['localhost', 'exchange.localhost']) {
      const error = await publicAddresses(name).catch((reason) => reason);
      expect(error, name).to.be.instanceOf(AddressForbidden);
    }
  });
});
