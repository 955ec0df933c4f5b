import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { expect } from 'chai';
import type { LimitOverrides } from '#actors/account/limits';
import { creativeDisk, creativeDiskId } from '#actors/creative-disk/creative-disk';
import { bytesOf, type CreativeDiskState } from '#actors/creative-disk/reduce';
import { filesQuotaId, quota } from '#actors/quota/quota';
import { type QuotaState, usageOf } from '#actors/quota/reduce';
import { COLLECT_AFTER_MS, type CollectDeps, collectFiles } from '#gateways/creatives/collect-files';
import { type Creatives, createCreatives } from '#gateways/creatives/create-creatives';
import { holderOfFile } from '#gateways/creatives/quota/file-quota';
import { type CreativeSettings, DEFAULT_CREATIVE_SETTINGS } from '#gateways/creatives/settings';
import { systemClock } from '#runtime/providers/system/system-clock';
import { systemRandom } from '#runtime/providers/system/system-random';
import { type CreativeOrigin, file, startCreativeOrigin } from '../../support/creative-origin.ts';
import { eventually } from '../../support/eventually.ts';
import { PROVIDER_PAIRS } from '../../support/exchange.ts';
import { pngOf } from '../../support/sample-media.ts';
import { errorOf, type ManagementClient } from '../management/management-client.ts';
import { type AccountClients, type RunningManagement, startManagement } from '../management/running-management.ts';

/** Of each file here; they differ in what is in them. */
const FILE_BYTES = 10_000;

for (const pair of PROVIDER_PAIRS)
  describe(`gateways/creatives/room on ${pair}`, () => {
    let running: RunningManagement;
    let origin: CreativeOrigin;
    let operator: ManagementClient;
    const opened: Creatives[] = [];
    let files = 0;

    before(async function () {
      running = await startManagement(this, pair, {});
      origin = await startCreativeOrigin();
      operator = (await running.newUser(running.accountId, 'operator')).api;
    });
    after(async () => {
      for (const one of opened) await one.close();
      await running?.close();
      await origin?.close();
    });

    /** Another process of the same exchange. */
    const ingest = async (settings: Partial<CreativeSettings> = {}, freeBytes?: () => Promise<number>) => {
      const one = await createCreatives({
        messenger: running.node.messenger,
        store: running.store,
        storage: running.creatives,
        settings: { ...DEFAULT_CREATIVE_SETTINGS, allowPrivateNetworks: true, httpsOnly: false, ...settings },
        stagingFolder: running.folder,
        clock: systemClock,
        random: systemRandom,
        ...(freeBytes && { freeBytes }),
      });
      opened.push(one);
      return one.ingest;
    };
    const accountWith = async (limits: LimitOverrides): Promise<AccountClients> => {
      const own = await running.newAccount();
      expect((await operator.put(`/api/accounts/${own.accountId}`, { limits })).status).to.equal(200);
      return own;
    };
    const newFile = () => {
      files += 1;
      const bytes = pngOf(300, 250, FILE_BYTES);
      bytes.writeUInt32BE(files, FILE_BYTES - 4);
      const path = `/file-${files}.png`;
      origin.answer(path, file(bytes, 'image/png'));
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      return { path, sha256, url: { url: origin.url(path), field: 'creative.image_url', use: 'image' as const } };
    };
    const delegateOf = async ({ api }: AccountClients) =>
      (await api.post('/api/demand/sources', { name: 'Buyer', mode: 'delegate' })).body.id as string;
    const save = ({ api }: AccountClients, dspId: string, path: string) =>
      api.post('/api/campaigns', {
        ...{ dsp_id: dspId, campaign_name: 'A campaign', bidding: { base_cpm: 1 } },
        creative: { creative_id: 'c', image_url: origin.url(path) },
      });
    const stateOf = async <State>(kind: string, id: string) =>
      (await running.store.load([{ kind, id }]))[0]!.state as State;

    it("refuses a creative beyond the account's share of bytes, and changes nothing", async () => {
      const own = await accountWith({ creative_files_bytes: FILE_BYTES });
      const dspId = await delegateOf(own);
      const [first, second] = [newFile(), newFile()];
      expect((await save(own, dspId, first.path)).status).to.equal(201);
      const refused = await save(own, dspId, second.path);
      expect(errorOf(refused)).to.equal('400 VALIDATION_ERROR creative.image_url');
      expect(refused.body.error.message).to.include('the creatives of an account come to at most');
      expect(await running.creatives.has(second.sha256)).to.equal(false);
      expect((await own.api.get('/api/campaigns')).body.campaigns).to.have.length(1);
      await eventually('the refused campaign has given back its place', async () => {
        const { usage } = (await own.api.get('/api/account')).body;
        return usage.live.creative_files_bytes === FILE_BYTES && usage.live.campaigns === 1;
      });
      const other = await running.newAccount();
      expect((await save(other, await delegateOf(other), second.path)).status).to.equal(201);
    });

    it('counts the files of an account over several processes', async () => {
      const { accountId } = await accountWith({ creative_files_bytes: 5 * FILE_BYTES });
      const processes = [await ingest(), await ingest()];
      const owner = { accountId, sandbox: false };
      const taken = await Promise.all(
        Array.from({ length: 20 }, (_, index) => processes[index % 2]!.take([newFile().url], owner)),
      );
      expect(taken.filter((failures) => failures.length === 0)).to.have.length(5);
      const used = await stateOf<QuotaState>(quota.kind, filesQuotaId(accountId, false));
      expect(usageOf(used)).to.deep.equal({ count: 5, bytes: 5 * FILE_BYTES });
    });

    it('stores no more than the limit of all files, over all senders', async () => {
      const before = bytesOf(await stateOf<CreativeDiskState>(creativeDisk.kind, creativeDiskId));
      const small = await ingest({ maxStoredBytes: before + 3 * FILE_BYTES });
      const some = Array.from({ length: 8 }, newFile);
      const owners = await Promise.all([running.newAccount(), running.newAccount()]);
      const taken = await Promise.all(
        some.map(({ url }, index) => small.take([url], { accountId: owners[index % 2]!.accountId, sandbox: false })),
      );
      const failures = taken.flat();
      expect(failures).to.have.length(5);
      expect(failures[0]).to.include({ refused: false });
      expect(failures[0]!.message).to.include('the exchange has no room for more files');
      const stored = await Promise.all(some.map(({ sha256 }) => running.creatives.has(sha256)));
      expect(stored.filter(Boolean)).to.have.length(3);
    });

    it('fetches nothing while the disk has less free than is kept for the log', async () => {
      const { accountId } = running;
      const reserve = 1_000_000;
      const full = await ingest({ diskReserveBytes: reserve }, async () => reserve - 1);
      const { url, path } = newFile();
      const [failure] = await full.take([url], { accountId, sandbox: false });
      expect(failure).to.include({ refused: false });
      expect(failure!.message).to.include('the disk of the exchange has no room');
      expect(origin.requestedPaths).not.to.include(path);
    });

    it('stops a transfer when the disk falls below what is kept for the log', async () => {
      const { accountId } = running;
      let looks = 0;
      const filling = await ingest({ diskReserveBytes: 1 }, async () => (++looks === 1 ? 2 : 0));
      const path = '/large.mp4';
      origin.answer(path, file(Buffer.alloc(20_000_000), 'video/mp4'));
      const large = { url: origin.url(path), field: 'f', use: 'audio' as const };
      const [failure] = await filling.take([large], { accountId, sandbox: false });
      expect(failure!.message).to.include('the disk of the exchange has no room');
      expect(looks).to.equal(2);
    });

    const collecting = (): CollectDeps => ({
      ...{ messenger: running.node.messenger, store: running.store, storage: running.creatives },
      ...{ clock: systemClock, afterMs: 0 },
    });
    const collect = () => collectFiles(collecting(), new AbortController().signal);
    const disk = () => stateOf<CreativeDiskState>(creativeDisk.kind, creativeDiskId);
    /** Stores a file that nothing refers to, as a save leaves it that fails after its files were kept. */
    const storeAlone = async (number: number) => {
      const bytes = pngOf(300, 250, FILE_BYTES);
      bytes.writeUInt32BE(number, FILE_BYTES - 4);
      const path = `${running.folder}/alone-${number}`;
      await writeFile(path, bytes);
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      await running.creatives.put(sha256, { path, bytes: FILE_BYTES, mimeType: 'image/png' });
      return sha256;
    };

    it('deletes files that nothing refers to, and none that a campaign of any account is made of', async () => {
      const [one, other] = [await running.newAccount(), await running.newAccount()];
      const [shared, left] = [newFile(), newFile()];
      const made = await Promise.all([one, other].map(async (own) => save(own, await delegateOf(own), shared.path)));
      expect(made.map(({ status }) => status)).to.deep.equal([201, 201]);
      const orphan = await storeAlone(4_000_000);

      const { files: deleted, bytesLeft } = await collect();
      expect(deleted).to.equal(1);
      expect(await running.creatives.has(orphan)).to.equal(false);
      expect(await running.creatives.has(shared.sha256)).to.equal(true);
      expect(await running.creatives.has(left.sha256)).to.equal(false);
      expect((await disk()).measuredBytes).to.equal(bytesLeft);
      // The second of the two took what the first had fetched: it is counted from the first look on.
      const used = await stateOf<QuotaState>(quota.kind, filesQuotaId(other.accountId, false));
      expect(usageOf(used)).to.deep.equal({ count: 1, bytes: FILE_BYTES });
    });

    it('leaves a file alone that nothing has referred to for less than the time an ad may be shown', async () => {
      const { sha256, url } = newFile();
      const { accountId } = running;
      const process = await ingest();
      expect(await process.take([url], { accountId, sandbox: false })).to.deep.equal([]);
      const { asset } = await import('#actors/asset/asset');
      const { assetId } = await import('#actors/asset/asset-id');
      const { messenger } = running.node;
      const renewed = JSON.stringify({
        kind: 'image',
        media: { path: `/creative/${'0'.repeat(64)}`, mimeType: '', bytes: 0 },
      });
      await messenger.ask(asset, assetId(url.url), 'store', {
        url: url.url,
        content: renewed,
        facts: [],
        freshForMs: 0,
      });
      const kept = await collectFiles({ ...collecting(), afterMs: 60_000 }, new AbortController().signal);
      expect(kept.files).to.equal(0);
      expect((await disk()).unreferenced[sha256]).to.be.a('number');
      expect((await collect()).files).to.equal(1);
    });

    it('stores a file anew that is wanted while it is deleted', async () => {
      const { messenger } = running.node;
      const { accountId } = running;
      const wanted = newFile();
      const process = await ingest();
      expect(await process.take([wanted.url], { accountId, sandbox: false })).to.deep.equal([]);
      const { sha256 } = wanted;
      await messenger.ask(creativeDisk, creativeDiskId, 'looked', { unreferenced: [sha256], referenced: [] });
      const ripe = await messenger.ask(creativeDisk, creativeDiskId, 'collect', { files: [sha256], afterMs: 0 });
      expect(ripe).to.deep.equal([sha256]);
      const path = `/again-${wanted.path.slice(1)}`;
      const bytes = pngOf(300, 250, FILE_BYTES);
      bytes.writeUInt32BE(files, FILE_BYTES - 4);
      const asked = new Promise<void>((resolve) => {
        origin.answer(path, (request, response) => {
          resolve();
          file(bytes, 'image/png')(request, response);
        });
      });
      const taking = process.take([{ ...wanted.url, url: origin.url(path) }], { accountId, sandbox: false });
      await asked;
      await running.creatives.remove(sha256);
      await messenger.ask(creativeDisk, creativeDiskId, 'collected', { files: [sha256], bytes: FILE_BYTES });
      expect(await taking).to.deep.equal([]);
      expect(await running.creatives.has(sha256)).to.equal(true);
      const before = await messenger.ask(creativeDisk, creativeDiskId, 'collect', { files: [sha256], afterMs: 0 });
      expect(before).to.deep.equal([]);
    });

    it('counts a file that no campaign uses any more until it is deleted, and for two days at most', async () => {
      const { accountId } = await running.newAccount();
      const { messenger } = running.node;
      const [recent, old] = [await storeAlone(5_000_000), await storeAlone(5_000_001)];
      const nowS = Math.floor(Date.now() / 1000);
      const quotaId = filesQuotaId(accountId, false);
      const present = {
        [holderOfFile(recent)]: [FILE_BYTES, 1, nowS - 3_600],
        [holderOfFile(old)]: [FILE_BYTES, 1, nowS - 2 * 86_400],
        [holderOfFile('0'.repeat(64))]: [FILE_BYTES, 1, nowS - 3_600],
      } satisfies QuotaState['entries'];
      await messenger.ask(quota, quotaId, 'recount', { present, gone: {}, last: { archived: 0 } });
      const { signal } = new AbortController();
      await collectFiles({ ...collecting(), afterMs: COLLECT_AFTER_MS }, signal);
      const { entries } = await stateOf<QuotaState>(quota.kind, quotaId);
      expect(Object.keys(entries)).to.deep.equal([holderOfFile(recent)]);
    });
  });
