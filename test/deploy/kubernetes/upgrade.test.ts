import { spawnSync } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { build, compileCheck, FOLDER, folderOf, type Manifest } from './manifests.ts';

describe('upgrade.sh', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'upgrade-test-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  /**
   * Runs it with a program in place of kubectl that notes its arguments, and fails for those with `failing` in them.
   */
  async function upgraded(failing = 'nothing') {
    const kubectl = join(folder, 'kubectl');
    const log = join(folder, 'log');
    await writeFile(kubectl, `#!/bin/sh\necho "$*" >>'${log}'\ncase "$*" in *'${failing}'*) exit 1 ;; esac\n`);
    await chmod(kubectl, 0o755);
    const args = [folderOf('single-region')];
    const { status, stderr } = spawnSync(join(FOLDER, 'upgrade.sh'), args, {
      encoding: 'utf8',
      env: { PATH: process.env.PATH, KUBECTL: `${kubectl} --context=fra`, ROLLOUT_TIMEOUT: '5m' },
    });
    return { status, stderr, calls: (await readFile(log, 'utf8')).trim().split('\n') };
  }

  const rollouts = (calls: readonly string[]) =>
    calls.flatMap((call) => /rollout status (\S+) --timeout=5m$/.exec(call)?.[1] ?? []);

  it('brings the roles up in the order that docs/reliability.md demands, each when the one before is whole', async () => {
    const { status, calls } = await upgraded();
    expect(status).to.equal(0);
    expect(calls[0]).to.match(/^--context=fra apply -k \S+ -l app\.kubernetes\.io\/component notin /);
    const order = rollouts(calls).map((name) => name.split('/')[1]);
    expect(order).to.deep.equal(['actors', 'edge', 'management', 'scheduler']);
    const applied = calls.flatMap((call) => /apply .* app\.kubernetes\.io\/component=(\w+)$/.exec(call)?.[1] ?? []);
    expect(applied).to.deep.equal(order);
    const [, said] = /in this order: ([\w`, ]+)\./.exec(
      (await readFile('docs/reliability.md', 'utf8')).replaceAll('\n', ' '),
    )!;
    expect(said!.replaceAll('`', '').split(/, +/)).to.deep.equal(order);
  });

  it('goes no further than a role that does not become whole', async () => {
    const { status, stderr, calls } = await upgraded('rollout status statefulset/edge');
    expect(status).to.equal(1);
    expect(stderr).to.include('statefulset/edge is not whole');
    expect(rollouts(calls)).to.deep.equal(['deployment/actors', 'statefulset/edge']);
  });

  it('applies each document once', async function () {
    this.timeout(300_000);
    compileCheck(this);
    const { calls } = await upgraded();
    const selectors = calls.flatMap((call) => / -l (.*)$/.exec(call)?.[1] ?? []);
    const documents: readonly Manifest[] = build(folderOf('single-region')).documents[folderOf('single-region')]!;
    const takes = (selector: string, component: string | undefined) => {
      const [, list] = / notin \(([\w,]+)\)$/.exec(selector) ?? [];
      if (list !== undefined) return component === undefined || !list.split(',').includes(component);
      return selector === `app.kubernetes.io/component=${component}`;
    };
    for (const { kind, metadata } of documents) {
      const component = metadata.labels?.['app.kubernetes.io/component'];
      const times = selectors.filter((selector) => takes(selector, component)).length;
      expect(times, `${kind} ${metadata.name}`).to.equal(1);
    }
    const workloads = documents.filter(({ kind }) => kind === 'Deployment' || kind === 'StatefulSet');
    for (const { kind, metadata } of workloads) {
      expect(rollouts(calls)).to.include(`${kind.toLowerCase()}/${metadata.name}`);
    }
  });
});
