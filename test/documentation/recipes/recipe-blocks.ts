import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** An example of CONTRIBUTING: a file, or what is added to one. */
export interface RecipeBlock {
  readonly path: string;
  readonly lines: readonly string[];
}

/** The blocks of code whose first line names a file. */
export function recipeBlocks(page: string): RecipeBlock[] {
  return [...page.matchAll(/^```ts\n\/\/ (\S+)\n([\s\S]*?)^```$/gm)].map(([, path, text]) => ({
    path: path!,
    lines: text!.trimEnd().split('\n'),
  }));
}

/** Where the one list of a file begins. */
const LIST = /^(?:export )?const .*(?:= \[|= \{|\(\{)$/m;

/** Makes the file that a block names, or puts its imports before those of the file and the rest first into its list. */
export function follow(root: string, { path, lines }: RecipeBlock): void {
  const target = join(root, path);
  if (!existsSync(target)) {
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, `${lines.join('\n')}\n`);
    return;
  }
  const before = readFileSync(target, 'utf8');
  const list = LIST.exec(before);
  if (list === null) throw new Error(`${path} has no list`);
  const imports = lines.filter((line) => line.startsWith('import '));
  const entry = lines.filter((line) => !line.startsWith('import '));
  const end = list.index + list[0].length;
  writeFileSync(target, [...imports, before.slice(0, end), ...entry].join('\n') + before.slice(end));
}
