import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { readBlockedNetworks } from '../../composition/read-blocked-networks.ts';
import { parseIp } from '../../edge/addresses/ip-address.ts';
import { NetworkSet } from '../../edge/addresses/network-set.ts';
import { InvalidSettings } from '../../settings.ts';

describe('BLOCKED_NETWORKS_FILE', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'networks-'));
  });
  after(() => rm(folder, { recursive: true }));

  const read = async (text: string) => {
    const path = join(folder, 'networks.txt');
    await writeFile(path, text);
    return readBlockedNetworks(path);
  };
  const refusal = (reading: Promise<unknown>): Promise<Error> =>
    reading.then(
      () => expect.fail('it was taken'),
      (error) => error,
    );

  it('lists a network on each line, with comments', async () => {
    const networks = await read('# data centres\r\n5.6.0.0/16 # of one\r\n\n  2a00:1234::/32\n9.9.9.9');
    const set = new NetworkSet(networks);
    const held = ['5.6.7.8', '2a00:1234::1', '9.9.9.9', '9.9.9.8'].map((address) => set.has(parseIp(address)!));
    expect(held).to.deep.equal([true, true, true, false]);
  });

  it('names the lines that are wrong, the first ten of them', async () => {
    const error = await refusal(read('5.6.0.0/16\nexample.com\n5.6.0.0/99'));
    expect(error).to.be.instanceOf(InvalidSettings);
    expect(error.message.split('\n')).to.deep.equal([
      'BLOCKED_NETWORKS_FILE, line 2: "example.com" is no network',
      'BLOCKED_NETWORKS_FILE, line 3: "5.6.0.0/99" is no network',
    ]);
    const many = await refusal(read('x\n'.repeat(25)));
    expect(many.message.split('\n')).to.have.length(11);
    expect(many.message).to.match(/line 10: "x" is no network\nBLOCKED_NETWORKS_FILE: and 15 more lines$/);
  });

  it('must be there', async () => {
    const error = await refusal(readBlockedNetworks(join(folder, 'absent')));
    expect(error).to.be.instanceOf(InvalidSettings);
    expect(error.message).to.match(/^BLOCKED_NETWORKS_FILE cannot be read: ENOENT/);
  });
});
