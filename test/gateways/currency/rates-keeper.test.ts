import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { RatesKeeper } from '#gateways/currency/rates-keeper';
import type { Logger } from '#runtime/actor/logger';
import type { Messenger } from '#runtime/actor/messenger';
import { VirtualClock } from '#test/support/virtual-clock';

describe('gateways/currency/rates-keeper', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rates-'));
  });
  const closing: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
    await rm(folder, { recursive: true });
  });

  /** What comes of a document with a date so many ms from now: the rates that were told, or what was warned of. */
  const keep = async (aheadMs: number): Promise<unknown> => {
    const clock = new VirtualClock();
    const file = join(folder, 'latest.json');
    const dataAsOf = new Date(clock.now() + aheadMs).toISOString();
    await writeFile(file, JSON.stringify({ dataAsOf, conversions: { EUR: { USD: 1.1 } } }));
    return new Promise((resolve) => {
      const messenger = {
        ask: async (_kind: unknown, _id: string, _type: string, body: unknown) => {
          resolve(body);
          return { doubted: {} };
        },
      } as unknown as Messenger;
      const logger = { warn: ({ err }: { err: Error }) => resolve(err) } as unknown as Logger;
      const url = pathToFileURL(file).href;
      const keeper = new RatesKeeper({ messenger, clock, logger, url, refreshMs: 3_600_000 }).start();
      closing.push(() => keeper.close());
    });
  };

  it('tells the rates of today', async () => {
    expect(await keep(0)).to.include.keys('asOf', 'dollarsPerUnit');
  });

  it('takes no rates of a date that is still to come: no later date would be, and they would never be too old', async () => {
    const told = await keep(2 * 86_400_000);
    expect(told).to.be.instanceOf(Error);
    expect((told as Error).message).to.match(/is in the future$/);
  });
});
