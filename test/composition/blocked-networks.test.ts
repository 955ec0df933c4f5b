import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { type BlockedNetworks, followBlockedNetworks } from '../../composition/follow-blocked-networks.ts';
import { FollowedFile } from '../../composition/followed-file.ts';
import { readBlockedNetworks } from '../../composition/read-blocked-networks.ts';
import { parseIp } from '../../edge/addresses/ip-address.ts';
import { NetworkSet, parseNetwork } from '../../edge/addresses/network-set.ts';
import { SILENT } from '../../runtime/node/logger.ts';
import { systemClock } from '../../runtime/providers/system/system-clock.ts';
import { InvalidSettings } from '../../settings.ts';
import { eventually } from '../support/eventually.ts';

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

  describe('that changes while an edge runs', () => {
    let path: string;
    let logged: string[];
    let blocked: BlockedNetworks;
    beforeEach(async () => {
      path = join(folder, 'followed.txt');
      logged = [];
      await writeFile(path, '5.6.0.0/16');
      const settings = { blockedNetworks: [parseNetwork('9.9.9.9')!], blockedNetworksFile: path };
      const log = (fields: { reason?: string }, message: string) => void logged.push(fields.reason ?? message);
      blocked = await followBlockedNetworks(settings, systemClock, { info: log, warn: log } as never);
    });
    /** Two looks: what has changed at the first is read at the second, unless it has changed again. */
    const lookTwice = async () => {
      await blocked.file!.look();
      await blocked.file!.look();
    };
    const held = () => ['5.6.7.8', '7.7.7.7', '9.9.9.9'].filter((address) => blocked.has(parseIp(address)!));

    it('is read again, and the list of BLOCKED_NETWORKS stays', async () => {
      await lookTwice();
      expect({ held: held(), logged }, 'unchanged').to.deep.equal({ held: ['5.6.7.8', '9.9.9.9'], logged: [] });
      await writeFile(path, '7.7.7.0/24\n7.7.8.0/24');
      await lookTwice();
      expect(held()).to.deep.equal(['7.7.7.7', '9.9.9.9']);
      await lookTwice();
      expect(logged).to.deep.equal(['BLOCKED_NETWORKS_FILE has changed, and was read again']);
    });

    it('is not read while it is being written', async () => {
      await writeFile(path, '7.0.0.0/');
      await blocked.file!.look();
      await writeFile(path, '7.7.7.0/24');
      await blocked.file!.look();
      expect(held()).to.deep.equal(['5.6.7.8', '9.9.9.9']);
      await blocked.file!.look();
      expect(held()).to.deep.equal(['7.7.7.7', '9.9.9.9']);
    });

    it('stays as it was, with a warning, while the new one is faulty or gone', async () => {
      await writeFile(path, 'this is no network');
      await lookTwice();
      await rm(path);
      await lookTwice();
      expect(held()).to.deep.equal(['5.6.7.8', '9.9.9.9']);
      expect(logged[0]).to.equal('BLOCKED_NETWORKS_FILE, line 1: "this is no network" is no network');
      expect(logged[1]).to.match(/^BLOCKED_NETWORKS_FILE cannot be read: ENOENT/);
      await writeFile(path, '7.7.7.0/24\n7.7.8.0/24');
      await lookTwice();
      expect(held()).to.deep.equal(['7.7.7.7', '9.9.9.9']);
    });

    it('is looked at once a minute until the edge closes', async () => {
      const timers: { delayMs: number; fire: () => void }[] = [];
      const after = (delayMs: number, fire: () => void) => {
        const timer = { delayMs, fire };
        timers.push(timer);
        return () => void timers.splice(timers.indexOf(timer), 1);
      };
      const read = () => readFile(path, 'utf8');
      const clock = { ...systemClock, after };
      const file = await FollowedFile.open({ setting: 'FILE', path, read, clock, logger: SILENT });
      file.start();
      await writeFile(path, 'another text');
      await eventually('the new text', () => {
        if (timers.length === 0) return false;
        if (file.value === 'another text') return true;
        expect(timers.map(({ delayMs }) => delayMs)).to.deep.equal([60_000]);
        timers.shift()!.fire();
        return false;
      });
      file.close();
      expect(timers).to.deep.equal([]);
    });
  });

  it('must be there', async () => {
    const error = await refusal(readBlockedNetworks(join(folder, 'absent')));
    expect(error).to.be.instanceOf(InvalidSettings);
    expect(error.message).to.match(/^BLOCKED_NETWORKS_FILE cannot be read: ENOENT/);
  });
});
