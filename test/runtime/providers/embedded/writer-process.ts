import { openEmbedded } from '#runtime/providers/embedded/open-embedded';
import { systemClock } from '#runtime/providers/system/system-clock';

/**
 * A process that writes until it is killed: `<folder> <round>`. A line on standard output for each acknowledgement:
 * `opened`, `append <partition> <position> <payload>`, `once <id> <payload>`, `save <id> <version>`,
 * `commit <partition> <cursor>`, `settle <name> <value>`.
 */
const [folder, round] = process.argv.slice(2) as [string, string];
const { log: provider, store } = await openEmbedded({ folder, partitions: 4, clock: systemClock });
const { log, leases } = provider;
// Pipes are written synchronously: what was acknowledged has left the process.
const say = (...words: unknown[]) => process.stdout.write(`${words.join(' ')}\n`);
say('opened');

async function appendForEver(writer: number): Promise<void> {
  for (let n = 0; ; n++) {
    const payloads = ['first', 'second', 'third'].map((part) => `${round}/${writer}/${n}/${part}`);
    const positions = await log.append(writer % 4, payloads);
    for (const [at, position] of positions.entries()) say('append', writer % 4, position, payloads[at]);
  }
}

async function appendOnceForEver(): Promise<void> {
  const nowMs = Date.now();
  const bucketMs = Math.floor(nowMs / 3_600_000) * 3_600_000;
  for (let n = 0; ; n++) {
    const id = `${round}-${n}`;
    await log.appendOnce(0, [{ id, bucketMs, expiresAtMs: nowMs + 3_600_000, payload: `once/${id}` }]);
    say('once', id, bucketMs);
  }
}

async function saveForEver(saver: number): Promise<void> {
  const id = `actor-${saver}`;
  const [stands] = await store.load([{ kind: 'counter', id }]);
  for (let version = (stands?.version ?? 0) + 1; ; version++) {
    const document = {
      kind: 'counter',
      id,
      partition: 0,
      version,
      writer: `${round}-${version}`,
      position: '0-0',
      schema: 1,
      deleted: false,
      state: { saver, version, padding: 'x'.repeat((version * 97) % 6000) },
      outbox: [],
      viewPending: false,
      received: {},
      replies: {},
      published: null,
    };
    const [outcome] = await store.save([document]);
    if (outcome !== 'saved') throw new Error(`${id} version ${version}: ${outcome}`);
    say('save', id, version);
  }
}

async function trimForEver(): Promise<void> {
  const [acquired] = await leases.acquire([3], `round ${round}`, 60_000);
  for (;;) {
    const entries = (await log.read(new Map([[3, acquired!.cursor]]), 50, 1000)).get(3) ?? [];
    const cursor = entries.at(-1)?.position;
    if (cursor && (await leases.commit(acquired!.lease, cursor))) say('commit', 3, cursor);
  }
}

await store.prepare([{ kind: 'counter', indexes: ['version'] }]);
await Promise.all([
  ...Array.from({ length: 8 }, (_, writer) => appendForEver(writer)),
  ...Array.from({ length: 4 }, (_, saver) => saveForEver(saver)),
  appendOnceForEver(),
  trimForEver(),
]);
