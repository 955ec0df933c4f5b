import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { expect } from 'chai';
import type { Context } from 'mocha';
import type { Destination } from '#gateways/log-level-data/destination/destination';

/** What every destination of log-level data keeps. `open` makes an empty one. */
export function destinationContract(name: string, open: (test: Context) => Promise<Destination>): void {
  describe(`log-level data in ${name}`, () => {
    let destination: Destination;
    let folder: string;
    before(async function () {
      destination = await open(this);
      folder = await mkdtemp(join(tmpdir(), 'destination-'));
    });
    after(async () => {
      destination?.close();
      if (folder !== undefined) await rm(folder, { recursive: true, force: true });
    });

    const put = async (to: string, content: Buffer) => {
      const path = join(folder, 'local');
      await writeFile(path, content);
      await destination.put(to, { path, bytes: content.length });
    };

    it('stores files of megabytes, whole, in place of others', async () => {
      const large = Buffer.alloc(9 * 1024 * 1024, 'exchange ');
      await put('v1/a/dt=2026-03-14/part-0.gz', Buffer.from('first'));
      await put('v1/a/dt=2026-03-14/part-0.gz', large);
      const opened = await destination.open('v1/a/dt=2026-03-14/part-0.gz');
      expect(opened?.bytes).to.equal(large.length);
      expect((await buffer(await opened!.read())).equals(large)).to.equal(true);
    });

    it('stores texts, and knows what there is not', async () => {
      await destination.putText('v1/hours/hour=1.json', '{"é":1}\n');
      await destination.putText('v1/hours/hour=1.json', '{"é":2}\n');
      expect(await destination.readText('v1/hours/hour=1.json')).to.equal('{"é":2}\n');
      expect(await destination.has('v1/hours/hour=1.json')).to.equal(true);
      for (const absent of ['v1/hours/hour=2.json', 'v1/hours', 'v2/hours/hour=1.json']) {
        expect(await destination.has(absent), absent).to.equal(false);
        expect(await destination.open(absent), absent).to.equal(null);
      }
      expect(await destination.readText('v1/hours/hour=2.json')).to.equal(null);
    });

    it('lists the files right below a folder', async () => {
      for (const name of ['hour=11.json', 'hour=10.json', 'below/hour=12.json']) {
        await destination.putText(`v1/c/dt=2026-03-15/${name}`, '{}');
      }
      await destination.putText('v1/c/dt=2026-03-15.json', '{}');
      expect(await destination.files('v1/c/dt=2026-03-15')).to.deep.equal(['hour=10.json', 'hour=11.json']);
      expect(await destination.files('v1/c/dt=2026-03-1')).to.deep.equal([]);
      expect(await destination.files('v1/nothing')).to.deep.equal([]);
    });

    it('lists and removes folders', async () => {
      for (const day of ['2026-03-16', '2026-03-15', '2026-03-17']) {
        for (const hour of ['00', '23']) await put(`v1/b/dt=${day}/hour=${hour}/publisher=a%3Ab/x`, Buffer.from(day));
      }
      expect(await destination.folders('v1/b')).to.deep.equal(['dt=2026-03-15', 'dt=2026-03-16', 'dt=2026-03-17']);
      await destination.removeFolder('v1/b/dt=2026-03-16');
      await destination.removeFolder('v1/b/dt=2026-03-16');
      expect(await destination.folders('v1/b')).to.deep.equal(['dt=2026-03-15', 'dt=2026-03-17']);
      expect(await destination.has('v1/b/dt=2026-03-15/hour=23/publisher=a%3Ab/x')).to.equal(true);
      expect(await destination.folders('v1/nothing')).to.deep.equal([]);
    });
  });
}
