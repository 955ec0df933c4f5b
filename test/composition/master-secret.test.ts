import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { type Database, open } from 'lmdb';
import { masterSecret, SECRET_VALUE_NAME } from '../../composition/master-secret.ts';
import type { StateStore } from '../../runtime/ports/store.ts';
import { openEmbedded } from '../../runtime/providers/embedded/open-embedded.ts';
import { openMongodbStore } from '../../runtime/providers/mongodb/open-mongodb-store.ts';
import { systemClock } from '../../runtime/providers/system/system-clock.ts';
import { realProviders } from '../support/exchange.ts';
import { exchangeCommand } from '../support/exchange-command.ts';
import { Installation } from './installation.ts';

const OF_RELEASE_04 = 'the master secret that release 0.4 made';

const exportSecret = (environment: Readonly<Record<string, string>>, ...options: string[]) =>
  exchangeCommand(environment, 'export-secret-key', ...options);

/** Every file and folder below `folder`, it included, whose mode lets anyone but its owner in. */
async function openToOthers(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true });
  const found: string[] = [];
  for (const path of [folder, ...names.map((name) => join(folder, name))]) {
    const { mode } = await stat(path);
    if ((mode & 0o077) !== 0) found.push(`${path} ${(mode & 0o777).toString(8)}`);
  }
  return found;
}

const changeMarks = <T>(folder: string, work: (marks: Database<string, string>) => T): T => {
  const root = open({ path: join(folder, 'exchange.mdb'), noSubdir: true, maxDbs: 16, encoding: 'string' });
  try {
    return work(root.openDB<string, string>({ name: 'marks', encoding: 'string' }));
  } finally {
    root.close();
  }
};

const storedSecret = (folder: string) => changeMarks(folder, (marks) => marks.get(`settled/${SECRET_VALUE_NAME}`));

const storedMarks = (folder: string) =>
  changeMarks(folder, (marks) => [...marks.getRange()].map(({ key, value }) => `${key}: ${value}`).join('\n'));

/**
 * What release 0.4.0 does with a data folder at its start without a SECRET_KEY, in its own statements: it parses the
 * indexes of all kinds (`Facets`), and then settles for the secret that the store has (`EmbeddedStore.settle`).
 */
function startOfRelease04(folder: string): { refused: string | null; secretKey: string | null } {
  const root = open({ path: join(folder, 'exchange.mdb'), noSubdir: true, maxDbs: 16, encoding: 'string' });
  try {
    for (const { value } of root.openDB<string, string>({ name: 'kinds', encoding: 'string' }).getRange()) {
      JSON.parse(value);
    }
    const kept = root.openDB<string, string>({ name: 'marks', encoding: 'string' }).get(`settled/${SECRET_VALUE_NAME}`);
    return { refused: null, secretKey: kept ?? 'a secret of its own' };
  } catch (error) {
    return { refused: (error as Error).message, secretKey: null };
  } finally {
    root.close();
  }
}

describe('the master secret', () => {
  let folder: string;
  const warnings: string[] = [];
  const quiet = () => undefined;
  const logger = {
    debug: quiet,
    info: quiet,
    error: quiet,
    warn: (_: object, message: string) => warnings.push(message),
  };
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'master-secret-'));
    warnings.length = 0;
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const onEmbedded = async <T>(work: (store: StateStore) => Promise<T>): Promise<T> => {
    const { store, close } = await openEmbedded({ folder, partitions: 1, clock: systemClock });
    try {
      return await work(store);
    } finally {
      await close();
    }
  };
  const resolved = (secretKey: string | null = null, previousSecretKeys: readonly string[] = []) =>
    onEmbedded((store) =>
      masterSecret({ secretKey, previousSecretKeys, mongodbUrl: null, dataDir: folder }, store, logger),
    );
  const file = () => join(folder, 'secret-key');

  it('is made once with the embedded store, in a file that only its owner reads', async () => {
    const first = await resolved();
    expect(first).to.have.length.above(31);
    expect((await readFile(file(), 'utf8')).trim()).to.equal(first);
    expect((await stat(file())).mode & 0o777).to.equal(0o600);
    expect(await resolved()).to.equal(first);
    expect(await onEmbedded((store) => store.getValue(SECRET_VALUE_NAME))).to.equal(null);
  });

  it('moves from an embedded store of release 0.4 into the file', async () => {
    await onEmbedded((store) => store.putIfAbsent(SECRET_VALUE_NAME, OF_RELEASE_04));
    expect(await resolved()).to.equal(OF_RELEASE_04);
    expect((await readFile(file(), 'utf8')).trim()).to.equal(OF_RELEASE_04);
    expect(await onEmbedded((store) => store.getValue(SECRET_VALUE_NAME))).to.equal(null);
    expect(await resolved()).to.equal(OF_RELEASE_04);
    expect(warnings).to.deep.equal([]);
  });

  it('is the file when the store holds another one, with a warning', async () => {
    const made = 'the master secret that the file beside it has';
    await writeFile(file(), `${made}\n`);
    await onEmbedded((store) => store.putIfAbsent(SECRET_VALUE_NAME, OF_RELEASE_04));
    expect(await resolved()).to.equal(made);
    expect(warnings).to.deep.equal(['the store holds another SECRET_KEY than the file beside it']);
  });

  it('is not made anew where the exchange has had one', async () => {
    const made = await resolved();
    await rm(file());
    const refused = await resolved().catch((error: Error) => `${error.name}: ${error.message}`);
    expect(refused).to.match(
      /^InvalidSettings: The master secret of this exchange is missing: there is no .*secret-key/,
    );
    expect(await stat(file()).catch(() => null)).to.equal(null);
    await writeFile(file(), made);
    expect(await resolved()).to.equal(made);
    expect(warnings).to.deep.equal([]);
  });

  it('is used with a warning where the exchange has had another, unless that is named as an earlier one', async () => {
    const [first, second, third] = ['first', 'second', 'third'].map((name) => `the ${name} master secret of the three`);
    const isWarned = async (secret: string, previous: string[] = []) => {
      expect(await resolved(secret, previous)).to.equal(secret);
      return warnings.splice(0).some((text) => text.startsWith('this exchange has had another master secret'));
    };
    expect(await isWarned(first!)).to.equal(false);
    for (const time of ['once', 'again']) expect(await isWarned(second!), time).to.equal(true);
    expect(await isWarned(second!, [third!])).to.equal(true);
    expect(await isWarned(second!, [third!, first!])).to.equal(false);
    // While the change is rolled out, processes with the earlier one start too.
    expect(await isWarned(first!)).to.equal(false);
    expect(await isWarned(second!)).to.equal(false);
    expect(await isWarned(third!, [second!])).to.equal(false);
    expect(await isWarned(third!)).to.equal(false);
    for (const secret of [first!, second!, third!])
      expect(storedMarks(folder), 'what the store has').to.not.include(secret);
  });

  it('is refused when the file holds too little', async () => {
    await resolved();
    await writeFile(file(), 'short\n');
    const refused = await resolved().catch((error: Error) => error.message);
    expect(refused).to.match(/secret-key holds fewer than 32 characters$/);
  });

  it('leaves a data folder that release 0.4 refuses, and in which it could sign with nothing that is known', async () => {
    await onEmbedded((store) => store.putIfAbsent(SECRET_VALUE_NAME, OF_RELEASE_04));
    await resolved();
    expect(startOfRelease04(folder)).to.deep.equal({
      refused: `Unexpected token 'o', "of a newer release" is not valid JSON`,
      secretKey: null,
    });
    const found = storedSecret(folder);
    expect(found).to.have.length.above(32).and.not.include(OF_RELEASE_04);
    await resolved();
    expect(storedSecret(folder)).to.not.equal(found);
  });

  it('leaves a data folder that release 0.4 refuses when it was never in the store', async () => {
    await resolved();
    expect(startOfRelease04(folder).refused).to.match(/of a newer release/);
    await rm(folder, { recursive: true });
    await resolved('a master secret that the settings have');
    expect(startOfRelease04(folder).refused).to.match(/of a newer release/);
  });

  it('is withdrawn anew where an unreleased version has left an empty text', async () => {
    const made = await resolved();
    changeMarks(folder, (marks) => marks.putSync(`settled/${SECRET_VALUE_NAME}`, ''));
    expect(await onEmbedded((store) => store.getValue(SECRET_VALUE_NAME))).to.equal(null);
    expect(await resolved()).to.equal(made);
    expect(storedSecret(folder)).to.have.length.above(32);
  });

  it('is put back into the store by one command, so that release 0.4 signs with the same', async () => {
    const made = await resolved();
    const prepared = await exchangeCommand({ DATA_DIR: folder }, 'prepare-downgrade');
    expect(prepared).to.include({ code: 0, stderr: '' });
    expect(prepared.stdout)
      .to.match(/^Release 0\.4 can be started on /)
      .and.not.include(made);
    expect(startOfRelease04(folder)).to.deep.equal({ refused: null, secretKey: made });
    // The next start of this release takes it out again.
    expect(await resolved()).to.equal(made);
    expect(startOfRelease04(folder).refused).to.match(/of a newer release/);
    expect(storedSecret(folder)).to.not.include(made);
    expect(warnings).to.deep.equal([]);
  });

  it('is not put back where there is none, or no store of this kind', async () => {
    const nothing = await exchangeCommand({ DATA_DIR: join(folder, 'none') }, 'prepare-downgrade');
    expect(nothing).to.deep.equal({
      code: 2,
      stdout: '',
      stderr: `No exchange has kept data in ${join(folder, 'none')} (DATA_DIR).\n`,
    });
    await resolved();
    await rm(file());
    expect(await exchangeCommand({ DATA_DIR: folder }, 'prepare-downgrade')).to.include({
      code: 2,
      stderr: `There is no master secret: put ${file()} back first.\n`,
    });
  });

  it('is not put back in place of another that the store holds', async () => {
    const made = await resolved();
    expect(await exchangeCommand({ DATA_DIR: folder }, 'prepare-downgrade')).to.include({ code: 0 });
    const other = { DATA_DIR: folder, SECRET_KEY: OF_RELEASE_04 };
    const refused = await exchangeCommand(other, 'prepare-downgrade');
    expect(refused.code).to.equal(2);
    expect(refused.stderr).to.match(/^The data hold another master secret/);
    expect(startOfRelease04(folder)).to.deep.equal({ refused: null, secretKey: made });
  });

  it('is never taken from MongoDB', async () => {
    const store = {
      getValue: () => Promise.resolve(OF_RELEASE_04),
      putIfAbsent: (_: string, value: string) => Promise.resolve(value),
      withdraw: () => Promise.resolve(),
    };
    const settings = {
      secretKey: null,
      previousSecretKeys: [],
      mongodbUrl: 'mongodb://mongo/exchange',
      dataDir: folder,
    };
    const refused = await masterSecret(settings, store, logger).catch((error: Error) => error.message);
    expect(refused).to.match(/^SECRET_KEY or SECRET_KEY_FILE must be set with MONGODB_URL/);
  });

  it('is exported from a database of release 0.4 by one command, which leaves none in it', async function () {
    const { SECRET_KEY: _, ...real } = realProviders(this) as Record<string, string>;
    const store = await openMongodbStore({ url: real.MONGODB_URL! });
    try {
      await store.putIfAbsent(SECRET_VALUE_NAME, OF_RELEASE_04);
      const environment = { ...real, DATA_DIR: folder };
      expect(await exportSecret(environment)).to.include({ code: 2 });
      const exported = await exportSecret(environment, '--to', file());
      expect(exported.stderr).to.equal('');
      expect(exported.code).to.equal(0);
      expect((await readFile(file(), 'utf8')).trim()).to.equal(OF_RELEASE_04);
      expect((await stat(file())).mode & 0o777).to.equal(0o600);
      expect(await store.getValue(SECRET_VALUE_NAME)).to.equal(null);
      // What release 0.4 does at its start without a SECRET_KEY.
      const settled = await store.putIfAbsent(SECRET_VALUE_NAME, 'another one').catch((error: Error) => error.name);
      expect(settled).to.equal('Withdrawn');
      expect(await exportSecret(environment, '--to', file())).to.include({ code: 1 });
    } finally {
      await store.close();
    }
  });
});

describe('the data folder', () => {
  it('lets only its owner read any file or folder in it', async () => {
    const installation = await Installation.make();
    try {
      const running = await installation.start();
      expect(await openToOthers(installation.environment.DATA_DIR!)).to.deep.equal([]);
      running.signal('SIGTERM');
      await running.exited;
      expect(await openToOthers(installation.environment.DATA_DIR!)).to.deep.equal([]);
    } finally {
      await installation.remove();
    }
  });
});
