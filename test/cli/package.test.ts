import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'chai';

describe('the package that npm pack makes', () => {
  it('has the command, what it starts and its reference, and neither tests nor sources', async () => {
    const { stdout } = await promisify(execFile)('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
      maxBuffer: 64 * 1024 * 1024,
    });
    const [{ files }] = JSON.parse(stdout);
    const paths: string[] = files.map(({ path }: { path: string }) => path);
    expect(paths).to.include.members([
      'bin/exchange.mjs',
      'dist/cli/main.js',
      'dist/client/index.js',
      'dist/bundle/main.js',
      'docs/command-line.md',
      'LICENSE',
    ]);
    const unwanted = paths.filter((path) => /^dist\/(test|bench)\/|\.map$|(?<!\.d)\.ts$/.test(path));
    expect(unwanted).to.deep.equal([]);
  });
});
