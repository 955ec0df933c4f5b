import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const REPOSITORY = process.cwd();

/**
 * A command of a page as it runs beside other tests: `npm run` without the build before it, and folders of the machine
 * below a folder of the test's own.
 */
export function translate(text: string, folder: string): string {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
  return text
    .replace(
      /npm run ([\w:-]+)(?: --(?= ))?/g,
      (all, name: string) => scripts[name]?.replace(/\bdist\//g, `${join(REPOSITORY, 'dist')}/`) ?? all,
    )
    .replace(/(?<![\w.])\/(backups|srv)\//g, `${folder}/$1/`);
}
