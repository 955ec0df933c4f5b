import { EXIT_MISUSE, readArguments } from './command-line.ts';
import { restore } from './composition/backup/backup-folder.ts';
import { readSettings } from './settings.ts';

const HELP = `Usage: npm run restore -- <folder>

Puts a backup that npm run backup has written where DATA_DIR, CREATIVES_DIR and ARCHIVE_DIR say; nothing may be there. Start the
exchange afterwards, and never two of one backup: each would bill what the other bills.

  -h, --help   prints this
  --version    prints the version

Exit codes: 0 done, 2 nothing was restored.
`;

const { positionals } = await readArguments(HELP, {}, 1);
process.umask(0o077);
try {
  const [folder] = positionals;
  if (folder === undefined) throw new Error('the folder of the backup is missing (--help)');
  const settings = readSettings(process.env);
  const left = await restore(settings, folder);
  process.stdout.write([`Restored to ${settings.dataDir}.`, ...left, ''].join('\n'));
} catch (error) {
  process.stderr.write(`Nothing was restored: ${(error as Error).message}\n`);
  process.exitCode = EXIT_MISUSE;
}
