import { EXIT_MISUSE, readArguments } from './command-line.ts';
import { backUp } from './composition/backup/backup-folder.ts';
import { readSettings } from './settings.ts';
import { readVersion } from './version.ts';

const HELP = `Usage: npm run backup -- <folder> [--with-secret-key]

Backs up an exchange on the embedded log and store to a folder that is empty or not there, while it runs or is stopped: books, all
other state, the log, the spool, files of creatives, the archive. Reads DATA_DIR, CREATIVES_DIR and ARCHIVE_DIR as the exchange does.
docs/backup.md has the rest, Redis and MongoDB too.

  --with-secret-key  holds DATA_DIR/secret-key, too: a holder of the backup can then sign impressions and open sealed keys
  -h, --help         prints this
  --version          prints the version

Exit codes: 0 done, 2 there is no backup.
`;

const { values, positionals } = await readArguments(
  HELP,
  { 'with-secret-key': { type: 'boolean', default: false } },
  1,
);
process.umask(0o077);
try {
  const [folder] = positionals;
  if (folder === undefined) throw new Error('the folder to write to is missing (--help)');
  const { begunAt } = await backUp(
    readSettings(process.env),
    folder,
    await readVersion(),
    values['with-secret-key'] === true,
  );
  process.stdout.write(`All that was acknowledged before ${begunAt} is in ${folder}.\n`);
} catch (error) {
  process.stderr.write(`There is no backup: ${(error as Error).message}\n`);
  process.exitCode = EXIT_MISUSE;
}
