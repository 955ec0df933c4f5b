import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A folder of a program in which the client is installed as it would be published. */
export interface ProgramFolder {
  readonly path: string;
  /** What the package contains. */
  readonly files: readonly string[];
  /** Writes a source of the program. */
  write(name: string, text: string): Promise<void>;
  /** Compiles the sources strictly, into `out/`; answers what the compiler has to say. */
  compile(...names: string[]): Promise<string>;
  remove(): Promise<void>;
}

const CLIENT = join(process.cwd(), 'client');
/** What programs that use the client install besides it. */
const BESIDE = ['openapi-fetch', 'openapi-typescript-helpers', 'standardwebhooks', 'ws', '@types/node', 'undici-types'];

/** Packs the client and installs it into a new folder, without a registry. */
export async function installPackedClient(): Promise<ProgramFolder> {
  const path = await mkdtemp(join(tmpdir(), 'client-of-the-exchange-'));
  const { stdout } = await run('npm', ['pack', '--json', '--loglevel=error', '--pack-destination', path], {
    cwd: CLIENT,
  });
  const [packed] = JSON.parse(stdout.slice(stdout.indexOf('[\n')));
  const packages = join(path, 'node_modules');
  await mkdir(join(packages, '@ad-exchange'), { recursive: true });
  await mkdir(join(packages, '@types'));
  await run('tar', ['-xzf', join(path, packed.filename), '-C', path]);
  await cp(join(path, 'package'), join(packages, '@ad-exchange', 'client'), { recursive: true });
  for (const name of [...BESIDE, ...(await dependenciesOf('standardwebhooks'))]) {
    await mkdir(join(packages, name, '..'), { recursive: true });
    await symlink(join(process.cwd(), 'node_modules', name), join(packages, name));
  }
  await writeFile(join(path, 'package.json'), JSON.stringify({ type: 'module', private: true }));
  return {
    path,
    files: packed.files.map((file: { path: string }) => file.path),
    write: (name, text) => writeFile(join(path, name), text),
    async compile(...names) {
      const compiler = join(process.cwd(), 'node_modules/typescript/bin/tsc');
      const options = ['--strict', '--module', 'nodenext', '--target', 'es2023', '--types', 'node', '--outDir', 'out'];
      const sources = names.map((name) => join(path, name));
      return run(process.execPath, [compiler, ...options, '--rootDir', path, ...sources], { cwd: path }).then(
        ({ stdout: said }) => said,
        (failure) => String(failure.stdout),
      );
    },
    remove: () => rm(path, { recursive: true, force: true }),
  };
}

async function dependenciesOf(name: string): Promise<string[]> {
  const manifest = await readFile(join(process.cwd(), 'node_modules', name, 'package.json'), 'utf8');
  return Object.keys(JSON.parse(manifest).dependencies ?? {});
}
