import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { build, compileCheck, FOLDER, folderOf, OVERLAYS } from './manifests.ts';

describe('manifests of Kubernetes', () => {
  let copy: string;

  before(function () {
    this.timeout(300_000);
    compileCheck(this);
  });
  beforeEach(async () => {
    copy = await mkdtemp(join(tmpdir(), 'manifests-test-'));
    await cp(FOLDER, copy, { recursive: true });
  });
  afterEach(() => rm(copy, { recursive: true }));

  async function replaced(file: string, before: string, after: string): Promise<string> {
    const path = join(copy, file);
    const text = await readFile(path, 'utf8');
    expect(text).to.include(before);
    await writeFile(path, text.replace(before, after));
    const { status, stderr } = build(join(copy, 'overlays/single-region'));
    expect(status).to.equal(1);
    return stderr;
  }

  it('are built offline, and decoded strictly by the types of Kubernetes’ API', () => {
    const { status, stderr, documents } = build(...OVERLAYS.map(folderOf));
    expect(stderr).to.equal('');
    expect(status).to.equal(0);
    for (const overlay of OVERLAYS) expect(documents[folderOf(overlay)]).to.have.length.above(25);
  });

  it('are refused with a field that is misspelt', async () => {
    const file = 'base/edge/stateful-set.yaml';
    expect(await replaced(file, 'podManagementPolicy', 'podManagmentPolicy')).to.include(
      'StatefulSet edge: strict decoding error: unknown field "spec.podManagmentPolicy"',
    );
  });

  it('are refused with a value of another type', async () => {
    const file = 'base/edge/stateful-set.yaml';
    expect(await replaced(file, 'value: "1"', 'value: 1'))
      .to.include('StatefulSet edge: ')
      .and.include('env.value');
  });

  it('are refused with a kind that is not known', async () => {
    const file = 'components/autoscaling/edge.yaml';
    expect(await replaced(file, 'autoscaling/v2', 'autoscaling/v2beta2')).to.include(
      'no kind "HorizontalPodAutoscaler"',
    );
  });
});
