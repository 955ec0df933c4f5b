import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { creative } from '../../actors/creative/creative.ts';
import { type CreativeState, noCreative } from '../../actors/creative/reduce.ts';
import { actorKinds } from '../../composition/actor-kinds.ts';
import { createProviders } from '../../composition/create-providers.ts';
import { CreativeCatalogue } from '../../edge/creatives/creative-catalogue.ts';
import { creativeId, fingerprintOf } from '../../edge/creatives/creative-id.ts';
import { createNode } from '../../runtime/node/node.ts';
import type { ActorDocument } from '../../runtime/ports/store.ts';
import { systemClock } from '../../runtime/providers/system/system-clock.ts';
import { systemRandom } from '../../runtime/providers/system/system-random.ts';
import { readSettings } from '../../settings.ts';
import { jobOf, sendToParent } from '../processes/child.ts';

/**
 * Lets an edge's catalogue of creatives learn `creatives` from an embedded store, all of them hosted, and sends how
 * much the heap has grown by it.
 */
const { creatives } = jobOf<{ creatives: number }>();
const DSPS = 1_000;
const AT_ONCE = 1_000;
const SEEN_AT = '2026-01-31T14:30:00.000Z';

const folder = await mkdtemp(join(tmpdir(), 'bench-creatives-'));
try {
  const { store, log, close } = await createProviders(readSettings({ DATA_DIR: folder }), pino({ level: 'silent' }));
  for (let from = 0; from < creatives; from += AT_ONCE) {
    await store.save(Array.from({ length: Math.min(AT_ONCE, creatives - from) }, (_, at) => documentOf(from + at)));
  }
  const node = createNode({
    name: 'benchmark',
    provider: log,
    store,
    clock: systemClock,
    random: systemRandom,
    definitions: actorKinds,
    hostsActors: false,
    replicates: [],
  });
  const catalogue = new CreativeCatalogue(node.replica, systemClock);
  const before = heapBytes();
  await node.start();
  const after = heapBytes();
  if (catalogue.size !== creatives) throw new Error(`the edge learned ${catalogue.size} creatives of ${creatives}`);
  sendToParent({ bytes: after - before });
  await node.stop();
  await close();
} finally {
  await rm(folder, { recursive: true });
}

/** After a full collection; buffers and typed arrays count. */
function heapBytes(): number {
  globalThis.gc!();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

function documentOf(at: number): ActorDocument {
  const dspId = `00000003-0000-4000-8000-${String(at % DSPS).padStart(12, '0')}`;
  const crid = `creative-${at}`;
  const fingerprint = fingerprintOf(crid);
  const state: CreativeState = {
    ...noCreative,
    ...{ accountId: 'account-1', dspId, crid, fingerprint, stability: 'stable' },
    ...{ firstSeenAt: SEEN_AT, lastSeenAt: SEEN_AT, nextScanAt: SEEN_AT, changedAt: SEEN_AT },
    scan: { ...noCreative.scan, status: 'clean', scannedAt: SEEN_AT },
    hosting: { status: 'hosted', file: (fingerprint + fingerprint).slice(0, 64), files: [], reason: null },
  };
  const origin = { partition: 0, version: 1, writer: 'benchmark', position: '1-0', published: null };
  const nothing = { outbox: [], received: {}, replies: {}, viewPending: false, deleted: false };
  const id = creativeId({ dspId, crid, fingerprint });
  return { kind: creative.kind, id, ...origin, ...nothing, schema: creative.schemaVersion, state };
}
