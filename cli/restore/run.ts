import { restore } from '../../composition/backup/backup-folder.ts';
import { readSettings } from '../../settings.ts';
import type { Run } from '../definition.ts';

export const run: Run = async ({ args }) => {
  process.umask(0o077);
  const settings = readSettings(process.env);
  const left = await restore(settings, args[0]!);
  return {
    json: { restored_to: settings.dataDir, left_to_do: left },
    text: [`Restored to ${settings.dataDir}.`, ...left, ''].join('\n'),
  };
};
