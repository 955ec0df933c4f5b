import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import Type from 'typebox';
import { defineActor } from '../../../runtime/actor/define-actor.ts';
import { createNode } from '../../../runtime/node/node.ts';
import { openEmbedded } from '../../../runtime/providers/embedded/open-embedded.ts';
import { systemClock } from '../../../runtime/providers/system/system-clock.ts';
import { systemRandom } from '../../../runtime/providers/system/system-random.ts';
import { document } from '../store-contract/documents.ts';

const shop = defineActor({
  kind: 'shop',
  schemaVersion: 2,
  saving: 'eager',
  state: Type.Object({ name: Type.Object({ full: Type.String() }) }),
  messages: {},
  initial: () => ({ name: { full: '' } }),
  handle: () => {},
  upgrade: (state) => ({ name: { full: (state as { name: string }).name.trim() } }),
  view: ({ name }) => name.full,
});

describe('the catalogue replica', () => {
  it('takes in states and tombstones of an older schema', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'replica-'));
    const embedded = await openEmbedded({ folder, partitions: 1, clock: systemClock });
    const node = createNode({
      name: 'test',
      provider: embedded.log,
      store: embedded.store,
      clock: systemClock,
      random: systemRandom,
      definitions: [shop],
      hostsActors: false,
      replicates: ['shop'],
    });
    try {
      await embedded.store.save([
        document('shop', 'gone', { schema: 1, deleted: true, state: null }),
        document('shop', 'open', { schema: 1, state: { name: ' Books ' } }),
      ]);
      const failed = new Promise<never>((_, reject) => {
        setTimeout(() => reject(new Error('no snapshot was taken')), 2_000).unref();
      });
      await Promise.race([node.start(), failed]);
      expect([...node.replica.all('shop')]).to.deep.equal([['open', 'Books']]);
    } finally {
      await node.stop();
      await embedded.close();
      await rm(folder, { recursive: true, force: true });
    }
  });
});
