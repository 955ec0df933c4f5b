import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { ledger } from '#actors/ledger/ledger';
import { ledgerId } from '#actors/ledger/ledger-id';
import type { Totals } from '#actors/ledger/messages';
import type { LedgerState } from '#actors/ledger/state';
import { LEDGER_WATERMARK_ID, watermark } from '#actors/watermark/watermark';
import { openEmbedded } from '#runtime/providers/embedded/open-embedded';
import { systemClock } from '#runtime/providers/system/system-clock';
import { startTestExchange } from '../../support/exchange.ts';
import { type Ended, exchangeCommand } from '../../support/exchange-command.ts';

const PARTITIONS = 2;

describe('exchange audit', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'audit-program-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const open = () => openEmbedded({ folder, partitions: PARTITIONS, clock: systemClock });

  const audit = (...parameters: string[]): Promise<Ended> =>
    exchangeCommand({ DATA_DIR: folder, PARTITIONS: String(PARTITIONS) }, 'audit', ...parameters);

  /** An exchange that has kept books, and sold nothing. */
  async function openWithBooks() {
    const embedded = await open();
    await embedded.store.prepare([{ kind: watermark.kind, indexes: [] }]);
    await embedded.store.save([
      {
        ...{ kind: watermark.kind, id: LEDGER_WATERMARK_ID, partition: 0, version: 1, writer: 'test', position: '1-0' },
        ...{ schema: watermark.schemaVersion, deleted: false, state: { throughMs: Date.now() }, outbox: [] },
        ...{ viewPending: false, received: {}, replies: {}, published: null },
      },
    ]);
    return embedded;
  }

  it('ends with 0 where the ledgers balance', async () => {
    await (await openWithBooks()).close();
    const { code, stdout } = await audit();
    expect(stdout)
      .to.match(/^The books balance: 0 ledgers/)
      .and.not.contain('Not checked');
    expect(code).to.equal(0);
    expect(JSON.parse((await audit('--json')).stdout).unchecked).to.equal(null);
  });

  it('reports when the log holds what is not in the ledgers', async () => {
    const embedded = await openWithBooks();
    await embedded.log.log.append(0, ['{}']);
    await embedded.close();
    const { code, stdout } = await audit();
    expect(stdout).to.match(/^The books balance: 0 ledgers/);
    expect(stdout).to.match(
      /^Not checked: the books from \d{4}-\d\d-\d\dT\d\d:00:00\.000Z on, as the log holds what is not in the books yet\./m,
    );
    expect(code).to.equal(0);
    const { unchecked, stretch } = JSON.parse((await audit('--json')).stdout);
    expect(unchecked).to.deep.equal({ fromMs: stretch.toMs, reason: 'behind' });
    const month = JSON.parse((await audit('--json', '--month', '2026-02')).stdout);
    expect(month.unchecked, 'a month that is over is checked whole').to.equal(null);
  });

  it('says what it has not checked beside an exchange that goes on', async function () {
    const running = await startTestExchange(this, 'redis-mongodb');
    try {
      let done = false;
      const trading = (async () => {
        for (let index = 0; !done; index += 1)
          await running.call('POST', '/api/supply/pools', { name: `pool ${index}` });
      })();
      const ended = await exchangeCommand(running.environment, 'audit', '--json');
      done = true;
      await trading;
      const { unchecked, stretch, differences } = JSON.parse(ended.stdout);
      expect(differences).to.deep.equal([]);
      expect(unchecked).to.deep.equal({ fromMs: stretch.toMs, reason: 'trading' });
    } finally {
      await running.stop();
    }
  });

  it('ends with 1 and names each difference where they do not, for people and for programs', async () => {
    const atMs = Date.parse('2026-03-05T10:00:00Z');
    const id = ledgerId('publisher', 'p', atMs, false);
    const sum = { impressions: 1, grossNanos: 2_500_000, feeNanos: 0 };
    const regions = [{ region: 'fra', ...sum, counterparties: [{ id: 'x', ...sum }], creatives: [] }];
    const body: Totals = { partition: 0, minuteMs: atMs, version: `${atMs}-0`, regions };
    const state = ledger.initial(id) as LedgerState;
    const context = { id, address: `ledger/${id}`, nowMs: atMs, position: `${atMs}-0`, random: () => 0 };
    ledger.handle(state, { type: 'totals', body }, context);
    const embedded = await open();
    await embedded.store.prepare([{ kind: ledger.kind, indexes: [] }]);
    await embedded.store.save([
      {
        ...{ kind: ledger.kind, id, partition: 0, version: 1, writer: 'test', position: `${atMs}-0` },
        ...{ schema: ledger.schemaVersion, deleted: false, state, outbox: [], viewPending: false },
        ...{ received: {}, replies: {}, published: null },
      },
    ]);
    await embedded.close();
    const { code, stdout } = await audit();
    expect(code, stdout).to.equal(1);
    expect(stdout).to.match(
      /publishers make the platform +live 2026-03-05 fra +0 impressions, gross 0, fee 0 +1 impressions/,
    );
    const json = await audit('--json', '--month', '2026-03');
    expect(json.code).to.equal(1);
    expect(JSON.parse(json.stdout).differences).to.deep.include({
      check: 'sold is bought',
      where: 'live 2026-03-05 fra publisher p, demand source x',
      expected: '1 impressions, gross 2500000, fee 0',
      found: '0 impressions, gross 0, fee 0',
    });
    expect((await audit('--month', '2026-02')).code, 'another month').to.equal(0);
  });

  it('ends with 2 and says why where there can be no audit', async () => {
    const embedded = await openWithBooks();
    const held = await audit();
    await embedded.close();
    expect(held.code).to.equal(2);
    expect(held.stderr).to.match(/^There was no audit: .*is audited when it is stopped, or while it runs by its job/);
    const month = await audit('--month', '2026-13');
    expect(month).to.include({ code: 2, stderr: 'There was no audit: --month is written YYYY-MM\n' });
    const future = await audit('--month', '9999-01');
    expect(future).to.include({ code: 2, stdout: '' });
    expect(future.stderr).to.contain('none of the books of 9999-01 are complete yet');
    const unknown = await audit('--moth', '2026-02');
    expect(unknown).to.include({ code: 2, stdout: '' });
    expect(unknown.stderr).to.match(/^error: unknown option '--moth'/);
  });

  it('ends with 2 where there are no ledgers: what is not there would balance', async () => {
    await (await open()).close();
    const empty = await audit();
    expect(empty).to.include({ code: 2, stdout: '' });
    expect(empty.stderr).to.equal('There was no audit: no exchange has kept books in this store\n');
    await rm(folder, { recursive: true });
    const absent = await audit();
    expect(absent).to.include({ code: 2, stdout: '' });
    expect(absent.stderr).to.equal(`There was no audit: ${folder} (DATA_DIR) is not there\n`);
    expect(existsSync(folder), 'an audit writes nothing').to.equal(false);
    await mkdir(folder);
  });
});
