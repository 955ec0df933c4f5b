import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { commands } from '../../cli/commands.ts';
import type { CommandDefinition } from '../../cli/definition.ts';
import { optionsOf } from '../../cli/shared-options.ts';
import { EXCHANGE, exchangeCommand } from '../support/exchange-command.ts';

/** Said by a program when it ends: its processor time in microseconds. */
const TELLS_CPU =
  "data:text/javascript,process.on('exit',()=>{const{user,system}=process.cpuUsage();process.stderr.write('cpu:'+(user+system))})";
const HELP_MICROS = 200_000;

interface Runnable {
  /** The words that name it. */
  readonly words: readonly string[];
  readonly definition: CommandDefinition;
}

function runnable(definitions: readonly CommandDefinition[] = commands, above: readonly string[] = []): Runnable[] {
  return definitions.flatMap((definition) => {
    const words = [...above, definition.name];
    const own = definition.load === undefined ? [] : [{ words, definition }];
    return [...own, ...runnable(definition.commands ?? [], words)];
  });
}

describe('the command line', () => {
  it('says what it can do, and its version', async () => {
    const help = await exchangeCommand({}, '--help');
    expect(help).to.include({ code: 0, stderr: '' });
    for (const { name } of commands) expect(help.stdout).to.match(new RegExp(`^  ${name}\\b`, 'm'));
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
    expect(await exchangeCommand({}, '--version')).to.deep.equal({ code: 0, stdout: `${version}\n`, stderr: '' });
  });

  it('says it in less than 200 ms of processor time', async () => {
    const micros: number[] = [];
    for (let run = 0; run < 3; run++) {
      const { stderr } = await exchangeCommand({ NODE_OPTIONS: `--import=${TELLS_CPU}` }, '--help');
      micros.push(Number(/cpu:(\d+)$/.exec(stderr)?.[1]));
    }
    expect(Math.min(...micros)).to.be.below(HELP_MICROS);
  });

  it('takes --json for every command, and can load each', async () => {
    for (const { words, definition } of runnable()) {
      expect(
        optionsOf(definition).map(({ flags }) => flags),
        words.join(' '),
      ).to.include('--json');
      expect((await definition.load!()).run, words.join(' ')).to.be.a('function');
    }
  });

  it('ends with 2 and one sentence for what it does not know, with the nearest that it knows', async () => {
    const cases: readonly (readonly [args: string[], said: RegExp])[] = [
      [['audti'], /^error: unknown command 'audti'\n\(Did you mean audit\?\)\n/],
      [['audit', '--moth', '2026-03'], /^error: unknown option '--moth'/],
      [['backup'], /^error: missing required argument 'folder'\nUsage: exchange backup \[options\] <folder>\n$/],
      [['restore', 'one', 'two'], /^error: too many arguments for 'restore'/],
      [['completion', 'csh'], /Allowed choices are bash, zsh, fish/],
      [['export-secret-key'], /^error: required option '--to <file>' not specified\n/],
    ];
    for (const [args, said] of cases) {
      const ended = await exchangeCommand({}, ...args);
      expect(ended, args.join(' ')).to.include({ code: 2, stdout: '' });
      expect(ended.stderr).to.match(said).and.not.include('    at ');
    }
    const none = await exchangeCommand({});
    expect(none).to.include({ code: 2, stdout: '' });
    expect(none.stderr).to.match(/^Usage: exchange /);
  });

  it('with --json says why it failed in one line of JSON on standard error', async () => {
    const ended = await exchangeCommand({ DATA_DIR: '/nowhere/at/all' }, 'audit', '--json');
    expect(ended).to.include({ code: 2, stdout: '' });
    expect(JSON.parse(ended.stderr).error).to.deep.equal({
      code: 'FAILED',
      message: 'There was no audit: /nowhere/at/all (DATA_DIR) is not there',
    });
  });

  it('ends with 141 and without a word when nobody reads its output any more', async () => {
    for (const args of [['--help'], ['audit', '--help'], ['--version'], ['completion', 'bash'], ['doctor', '--json']]) {
      const child = spawn(process.execPath, [EXCHANGE, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
      child.stdout.destroy();
      const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'close')]);
      expect({ code, said }, args.join(' ')).to.deep.equal({ code: 141, said: '' });
    }
    const deaf = spawn(process.execPath, [EXCHANGE, 'zzz'], { stdio: ['ignore', 'pipe', 'pipe'] });
    deaf.stderr.destroy();
    expect((await once(deaf, 'exit'))[0], 'of errors').to.equal(141);
  });

  it('reads the file of --settings also for commands that call the API', async () => {
    const called = [
      'start',
      'demand list',
      'auctions why',
      'jobs run audit',
      'statements get x',
      'log-level list x',
      'seed',
    ];
    for (const words of called) {
      const ended = await exchangeCommand({}, ...words.split(' '), '--settings', '/nowhere/.env');
      expect(ended.stderr, words).to.match(/^The file of --settings cannot be read: .*'\/nowhere\/\.env'\n$/);
      expect(ended.code, words).to.equal(2);
    }
  });

  it('reads settings from a file, those of the environment first', async () => {
    const missing = await exchangeCommand({}, 'doctor', '--settings', '/nowhere/.env');
    expect(missing).to.include({ code: 2, stdout: '' });
    expect(missing.stderr).to.match(/^The file of --settings cannot be read: .*'\/nowhere\/\.env'\n$/);
    const folder = await mkdtemp(join(tmpdir(), 'settings-'));
    try {
      const file = join(folder, 'settings');
      await writeFile(file, 'PORT=eighty\nEDGE_PORT=ninety\n');
      const { stdout } = await exchangeCommand({ EDGE_PORT: '8081' }, 'doctor', '--json', '--settings', file);
      const found = JSON.parse(stdout).findings.filter(({ status }: { status: string }) => status === 'fail');
      expect(found.map(({ found }: { found: string }) => found)).to.deep.equal([
        'PORT must be a whole number from 0 to 65535, not "eighty"',
      ]);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
