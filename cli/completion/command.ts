import type { CommandDefinition } from '../definition.ts';
import { SHELLS } from './shells.ts';

export const completion: CommandDefinition = {
  name: 'completion',
  heading: 'Start it, and see whether all is well',
  summary: 'Print what makes a shell complete commands and options',
  arguments: [{ name: '<shell>', description: 'the shell', choices: SHELLS }],
  examples: [
    { command: 'source <(exchange completion bash)', does: 'in ~/.bashrc; zsh the same in ~/.zshrc' },
    { command: 'exchange completion fish | source', does: 'in ~/.config/fish/config.fish' },
  ],
  load: () => import('./run.ts'),
};
