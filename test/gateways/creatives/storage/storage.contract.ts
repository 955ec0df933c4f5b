import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { expect } from 'chai';
import type { CreativeStorage } from '#gateways/creatives/storage/creative-storage';

/** What every provider of the storage of creatives must keep. */
export function creativeStorageContract(name: string, open: (test: Mocha.Context) => Promise<CreativeStorage>): void {
  describe(`gateways/creatives/storage: ${name}`, () => {
    let storage: CreativeStorage;
    let folder: string;

    before(async function () {
      storage = await open(this);
      folder = await mkdtemp(join(tmpdir(), 'creatives-'));
    });
    after(async () => {
      await storage?.close();
      if (folder) await rm(folder, { recursive: true });
    });

    const staged = async (bytes: Buffer, mimeType = 'video/mp4') => {
      const path = join(folder, randomBytes(8).toString('hex'));
      await writeFile(path, bytes);
      return { path, bytes: bytes.length, mimeType };
    };
    const nameOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

    it('gives back what was put, with its type and length', async () => {
      const bytes = randomBytes(300_000);
      const sha256 = nameOf(bytes);
      expect(await storage.has(sha256)).to.equal(false);
      await storage.put(sha256, await staged(bytes));
      expect(await storage.has(sha256)).to.equal(true);
      const file = await storage.open(sha256);
      expect(file).to.include({ bytes: bytes.length, mimeType: 'video/mp4' });
      expect((await buffer(await file!.read())).equals(bytes)).to.equal(true);
    });

    it('reads ranges, both ends included', async () => {
      const bytes = randomBytes(10_000);
      const sha256 = nameOf(bytes);
      await storage.put(sha256, await staged(bytes));
      const file = await storage.open(sha256);
      for (const [start, end] of [
        [0, 0],
        [0, 9_999],
        [5_000, 5_099],
        [9_999, 9_999],
      ] as const) {
        const got = await buffer(await file!.read({ start, end }));
        expect(got.equals(bytes.subarray(start, end + 1)), `${start}-${end}`).to.equal(true);
      }
    });

    it('lists what was put, with its length, and has nothing of what was removed', async () => {
      const [kept, removed] = [randomBytes(3_000), randomBytes(4_000)];
      for (const bytes of [kept, removed]) await storage.put(nameOf(bytes), await staged(bytes));
      await storage.remove(nameOf(removed));
      await storage.remove(nameOf(removed));
      const listed = new Map<string, number>();
      for await (const { sha256, bytes } of storage.list()) listed.set(sha256, bytes);
      expect(listed.get(nameOf(kept))).to.equal(3_000);
      expect(listed.has(nameOf(removed))).to.equal(false);
      expect(await storage.open(nameOf(removed))).to.equal(null);
      await storage.put(nameOf(removed), await staged(removed));
      expect(await storage.has(nameOf(removed))).to.equal(true);
    });

    it('has nothing of what was never put', async () => {
      const sha256 = nameOf(randomBytes(8));
      expect(await storage.has(sha256)).to.equal(false);
      expect(await storage.open(sha256)).to.equal(null);
    });

    it('takes the same file again, and at the same moment', async () => {
      const bytes = randomBytes(50_000);
      const sha256 = nameOf(bytes);
      await Promise.all(Array.from({ length: 4 }, async () => storage.put(sha256, await staged(bytes))));
      await storage.put(sha256, await staged(bytes));
      const file = await storage.open(sha256);
      expect((await buffer(await file!.read())).equals(bytes)).to.equal(true);
    });

    it('shows a file whole or not at all while it is being put', async () => {
      const bytes = randomBytes(5_000_000);
      const sha256 = nameOf(bytes);
      const file = await staged(bytes);
      let put = false;
      const putting = storage.put(sha256, file).finally(() => {
        put = true;
      });
      while (!put) {
        const seen = await storage.open(sha256);
        if (seen !== null) expect(seen.bytes).to.equal(bytes.length);
      }
      await putting;
      expect((await storage.open(sha256))?.bytes).to.equal(bytes.length);
    });

    it('leaves nothing under the name when a put fails', async () => {
      const bytes = randomBytes(100);
      const sha256 = nameOf(bytes);
      const gone = { ...(await staged(bytes)), path: join(folder, 'gone') };
      const failure = await storage.put(sha256, gone).then(
        () => null,
        (error: Error) => error.name,
      );
      expect(failure).to.equal('CreativeStorageUnavailable');
      expect(await storage.open(sha256)).to.equal(null);
    });
  });
}
