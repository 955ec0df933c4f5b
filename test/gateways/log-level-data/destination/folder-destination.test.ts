import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { DestinationUnavailable } from '#gateways/log-level-data/destination/destination';
import { openDestination } from '#gateways/log-level-data/destination/open-destination';
import { destinationContract } from './destination.contract.ts';

const folders: string[] = [];
async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'log-level-'));
  folders.push(folder);
  return folder;
}

destinationContract('a folder', async () => openDestination({ folder: await newFolder() }));

describe('a folder of log-level data', () => {
  after(async () => {
    for (const folder of folders) await rm(folder, { recursive: true, force: true });
  });

  it('says what is wrong when it cannot be written', async () => {
    const destination = await openDestination({ folder: join(await newFolder(), 'file') });
    await destination.putText('a', 'a folder from now on');
    const within = await openDestination({ folder: join(folders.at(-1)!, 'file', 'a') });
    await within.putText('b', 'text').then(
      () => expect.fail('it was written'),
      (error: Error) =>
        expect(error)
          .to.be.instanceOf(DestinationUnavailable)
          .with.property('message')
          .matches(/ENOTDIR/),
    );
  });
});
