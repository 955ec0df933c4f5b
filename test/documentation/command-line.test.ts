import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { commandLinePage } from './command-line-page.ts';

describe('the documentation of the command line', () => {
  it('is what the definitions of the commands say: `npm run reference` writes it anew', async () => {
    expect(await readFile('docs/command-line.md', 'utf8')).to.equal(commandLinePage());
  });
});
