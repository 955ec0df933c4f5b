import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { comparePositions, START } from '#runtime/ports/position';
import type { Embedded } from '#runtime/providers/embedded/open-embedded';
import { type DataFolder, freshDataFolder } from './data-folder.ts';

const WRITER = fileURLToPath(new URL('./writer-process.js', import.meta.url));
const ROUNDS = 5;
const ACKNOWLEDGEMENTS_PER_ROUND = 400;

/** Everything that any killed process said it had been promised. */
interface Acknowledged {
  readonly appended: Map<string, { partition: number; position: string }>;
  readonly onceIds: Map<string, number>;
  readonly versions: Map<string, number>;
  readonly cursors: Map<number, string>;
}

/** Lets a writer run for so many acknowledgements, kills it where it stands, and hears all that it had said. */
async function writeAndKill(folder: string, round: number, heard: Acknowledged): Promise<void> {
  const child: ChildProcess = spawn(process.execPath, [WRITER, folder, String(round)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  let acknowledgements = 0;
  for await (const line of createInterface({ input: child.stdout! })) {
    const [what, first, second, third] = line.split(' ') as [string, string, string, string];
    if (what === 'append') heard.appended.set(third, { partition: Number(first), position: second });
    if (what === 'once') heard.onceIds.set(first, Number(second));
    if (what === 'save') heard.versions.set(first, Number(second));
    if (what === 'commit') heard.cursors.set(Number(first), second);
    acknowledgements += 1;
    if (acknowledgements === ACKNOWLEDGEMENTS_PER_ROUND + round * 7) child.kill('SIGKILL');
  }
  const [, signal] = (await exited) as [number | null, string | null];
  expect(signal, 'the writer ended by itself').to.equal('SIGKILL');
}

async function verify({ log: { log, leases }, store }: Embedded, heard: Acknowledged): Promise<void> {
  const [acquired] = await leases.acquire([3], 'verifier', 60_000);
  expect(comparePositions(acquired!.cursor, heard.cursors.get(3) ?? START), 'the cursor').to.be.at.least(0);

  const found = new Map<string, string>();
  for (const partition of [0, 1, 2, 3]) {
    const entries = (await log.read(new Map([[partition, START]]), 1_000_000, 0)).get(partition) ?? [];
    for (const [at, { position, payload }] of entries.entries()) {
      expect(found.has(payload), `${payload} twice`).to.equal(false);
      found.set(payload, position);
      if (at > 0) expect(comparePositions(entries[at - 1]!.position, position)).to.be.below(0);
    }
    expect((await log.tail(partition)).length).to.equal(entries.length);
  }
  for (const [payload, { partition, position }] of heard.appended) {
    const trimmed = partition === 3 && comparePositions(position, acquired!.cursor) <= 0;
    expect(found.get(payload), payload).to.equal(trimmed ? undefined : position);
  }
  for (const payload of found.keys()) {
    if (!payload.endsWith('/second')) continue;
    expect(found.has(payload.replace('second', 'third')), `${payload} without its third`).to.equal(true);
  }

  const nowMs = Date.now();
  const again = [...heard.onceIds].map(([id, bucketMs]) => ({
    id,
    bucketMs,
    expiresAtMs: nowMs + 3_600_000,
    payload: 'again',
  }));
  expect(new Set(await log.appendOnce(0, again))).to.deep.equal(new Set(['repeated']));

  for (const [id, version] of heard.versions) {
    const [document] = await store.load([{ kind: 'counter', id }]);
    expect(document!.version, id).to.be.at.least(version);
    expect((document!.state as { version: number }).version).to.equal(document!.version);
    const { documents } = await store.query('counter', { where: { version: document!.version } });
    expect(documents.map((one) => one.id)).to.include(id);
  }
}

describe('the embedded provider, killed', () => {
  let data: DataFolder;
  before(async () => {
    data = await freshDataFolder();
  });
  after(() => data.remove());

  it('has all that it acknowledged, whole, however often it is killed', async () => {
    const heard: Acknowledged = {
      appended: new Map(),
      onceIds: new Map(),
      versions: new Map(),
      cursors: new Map(),
    };
    for (let round = 1; round <= ROUNDS; round++) {
      await writeAndKill(data.folder, round, heard);
      const opened = await data.open();
      try {
        await verify(opened, heard);
      } finally {
        await opened.close();
      }
    }
    expect(heard.appended.size).to.be.above(100);
    expect(heard.onceIds.size).to.be.above(10);
    expect(heard.versions.size).to.equal(4);
    expect(heard.cursors.size).to.equal(1);
  });
});
