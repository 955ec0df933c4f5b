import { type ChildProcess, fork } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { pino } from 'pino';
import { KeptProcess } from '#composition/supervisor/kept-process';

/** Serves, says that it drains when it is told to stop or to restart, and ends when the drain is over. */
const DRAINING = `
process.on('SIGTERM', () => process.send({ draining: true }));
process.on('message', ({ id, what }) => {
  if (what !== 'restart') process.exit(0);
  process.send({ id, answer: null });
  process.send({ draining: true });
});
process.send({ serving: { port: null, edgePort: null, firstCredentials: null } });
`;

describe('a process that a supervisor keeps', () => {
  let folder: string;
  let signals: string[];
  let children: ChildProcess[];
  let kept: KeptProcess;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kept-process-'));
    const program = join(folder, 'draining.cjs');
    await writeFile(program, DRAINING);
    signals = [];
    children = [];
    const forked = () => {
      const child = fork(program);
      const kill = child.kill.bind(child);
      child.kill = (signal) => {
        signals.push(String(signal));
        return kill(signal);
      };
      children.push(child);
      return child;
    };
    kept = new KeptProcess('edge-1', forked, pino({ level: 'silent' }));
    await kept.start();
  });
  afterEach(async () => {
    const stopping = kept.stop();
    for (const child of children) child.kill('SIGKILL');
    await stopping;
    await rm(folder, { recursive: true });
  });

  const draining = (child: ChildProcess) =>
    new Promise<void>((resolve) => {
      child.on('message', (message) => 'draining' in (message as object) && resolve());
    });

  it('drains to its end when all are stopped while it is restarted: it is told once', async () => {
    const drains = draining(children[0]!);
    const restarting = kept.restart();
    await drains;
    const stopping = kept.stop();
    expect(signals, 'of a stop beside the restart').to.deep.equal([]);
    children[0]!.send({ drained: true });
    await Promise.all([restarting, stopping]);
    expect(children[0]!.exitCode).to.equal(0);
    expect(children, 'none is started in its place').to.have.length(1);
  });

  it('ends at once when it is killed, also while it drains', async () => {
    const drains = draining(children[0]!);
    const stopping = kept.stop();
    await drains;
    kept.kill();
    await stopping;
    expect([signals, children[0]!.signalCode]).to.deep.equal([['SIGTERM', 'SIGKILL'], 'SIGKILL']);
  });

  it('is not started once it was stopped', async () => {
    const never = new KeptProcess('edge-2', () => expect.fail('it was started'), pino({ level: 'silent' }));
    await never.stop();
    const error = await never.start().catch((thrown) => thrown);
    expect(error.message).to.equal('the process edge-2 is stopped before its start');
  });
});
