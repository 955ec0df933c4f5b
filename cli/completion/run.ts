import type { Run } from '../definition.ts';
import { completionTree } from './completion-tree.ts';
import { bashScript, fishScript, zshScript } from './scripts.ts';
import type { SHELLS } from './shells.ts';

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript };

export const run: Run = async ({ args, commands }) => {
  const shell = args[0] as (typeof SHELLS)[number];
  const script = SCRIPTS[shell](completionTree(commands));
  return { json: { shell, script }, text: script };
};
