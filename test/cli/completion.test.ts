import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { commands } from '../../cli/commands.ts';
import { completionTree } from '../../cli/completion/completion-tree.ts';
import { fishScript, zshScript } from '../../cli/completion/scripts.ts';
import { exchangeCommand } from '../support/exchange-command.ts';
import { skipWithReason } from '../support/skipped-tests.ts';

const run = promisify(execFile);

describe('exchange completion', () => {
  it('completes commands, commands of groups, options and known arguments in bash', async () => {
    const { stdout: script } = await exchangeCommand({}, 'completion', 'bash');
    const complete = async (...words: string[]) => {
      const typed = words.map((word) => `'${word}'`).join(' ');
      const asked = `${script}\nCOMP_WORDS=(${typed}); COMP_CWORD=${words.length - 1}; _exchange; echo "\${COMPREPLY[@]}"`;
      return (await run('bash', ['-c', asked])).stdout.trim().split(' ');
    };
    expect(await complete('exchange', 'rest')).to.deep.equal(['restore']);
    expect(await complete('exchange', 'redis-servers', '')).to.include.members(['show', 'remove', 'forget']);
    expect(await complete('exchange', 'audit', '--mo')).to.deep.equal(['--month']);
    expect(await complete('exchange', 'completion', 'f')).to.deep.equal(['fish']);
  });

  for (const [shell, script] of [
    ['zsh', zshScript],
    ['fish', fishScript],
  ] as const) {
    it(`is a script that ${shell} reads`, function () {
      const text = script(completionTree(commands));
      for (const { path } of completionTree(commands).slice(1)) expect(text).to.include(path.split(' ').at(-1)!);
      if (spawnSync(shell, ['--version']).status !== 0) skipWithReason(this, `${shell} is not installed`);
      const { status, stderr } = spawnSync(shell, ['-n', '/dev/stdin'], { input: text, encoding: 'utf8' });
      expect(status, stderr).to.equal(0);
    });
  }
});
