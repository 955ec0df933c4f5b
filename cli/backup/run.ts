import { backUp } from '../../composition/backup/backup-folder.ts';
import { readSettings } from '../../settings.ts';
import { readVersion } from '../../version.ts';
import type { Run } from '../definition.ts';

export const run: Run<{ withSecretKey?: boolean }> = async ({ args, options }) => {
  process.umask(0o077);
  const folder = args[0]!;
  const manifest = await backUp(readSettings(process.env), folder, await readVersion(), options.withSecretKey === true);
  const { files: _, ...said } = manifest;
  return {
    json: { folder, ...said },
    text: `All that was acknowledged before ${manifest.begunAt} is in ${folder}.\n`,
  };
};
