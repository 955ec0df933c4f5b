import { readFileSync } from 'node:fs';
import { expect } from 'chai';

interface LockedPackage {
  readonly version: string;
  readonly integrity?: string;
  readonly resolved?: string;
  /** A workspace of our own. */
  readonly link?: boolean;
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  readonly optional?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
}

interface Component {
  readonly group?: string;
  readonly name: string;
  readonly version: string;
  /** Packages that lie in the folder of this one. */
  readonly components?: readonly Component[];
}

/** A component of the bill and those within it, as npm names them. */
function withOwn({ group, name, version, components = [] }: Component): string[] {
  return [`${group === undefined ? '' : `${group}/`}${name}@${version}`, ...components.flatMap(withOwn)];
}

const read = (path: string) => readFileSync(path, 'utf8');
const lock: Readonly<Record<string, LockedPackage>> = JSON.parse(read('package-lock.json')).packages;
const locked = Object.entries(lock).filter(([place, { link }]) => place.includes('node_modules/') && !link);
const nameOf = (place: string) => place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);
const isForOneSystem = ({ os, cpu }: LockedPackage) => os !== undefined || cpu !== undefined;
const shipped = locked.filter(([, { dev, devOptional }]) => dev !== true && devOptional !== true);
const manifest = JSON.parse(read('package.json'));
const dashboard = JSON.parse(read('dashboard/package.json'));
const client = JSON.parse(read('client/package.json'));

describe('the lock file', () => {
  it('has the hash of each package, but for those of other systems that the registry did not have', () => {
    const without = locked.filter(([, { integrity }]) => integrity === undefined);
    for (const [place, entry] of without) {
      expect(entry.optional, place).to.equal(true);
      expect(isForOneSystem(entry), place).to.equal(true);
    }
    for (const [place, { integrity }] of locked) if (integrity) expect(integrity, place).to.match(/^sha512-[\w+/]+=*$/);
  });

  it('names no registry', () => {
    expect(locked.filter(([, { resolved, link }]) => resolved !== undefined && !link)).to.deep.equal([]);
    expect(read('package-lock.json')).not.to.match(/registry\.|"https?:[^"]*\.tgz/);
  });
});

describe('what is said of the work of others', () => {
  it('names each production dependency in THIRD_PARTY_NOTICES, in its version', () => {
    const notices = read('THIRD_PARTY_NOTICES');
    const missing = shipped
      .filter(([, entry]) => !isForOneSystem(entry))
      .map(([place, { version }]) => `${nameOf(place)}@${version} (`)
      .filter((id) => !notices.includes(`\n${id}`));
    expect(missing, '`npm run notices` writes it anew').to.deep.equal([]);
  });

  it('has each production dependency in the bill of materials, in its version, and nothing else', () => {
    const bill = JSON.parse(read('sbom.cdx.json')) as { components: Component[]; metadata: { component: Component } };
    const listed = bill.components.flatMap(withOwn);
    const ids = (entries: typeof locked) => entries.map(([place, { version }]) => `${nameOf(place)}@${version}`);
    // Beside the dashboard and the client themselves: what one of its packages would take if it were there, and ours is
    // for development.
    const alsoListed = new Set([
      `${dashboard.name}@${dashboard.version}`,
      `${client.name}@${client.version}`,
      ...ids(locked.filter(([, { devOptional }]) => devOptional)),
    ]);
    const expected = new Set(ids(shipped));
    expect(
      [...new Set(listed)].filter((id) => !alsoListed.has(id)),
      '`npm run notices` writes it anew',
    ).to.have.members([...expected]);
    expect(bill.metadata.component.name).to.equal(manifest.name);
  });

  it('has the text of the licence that package.json names', () => {
    expect(manifest.license).to.equal('Apache-2.0');
    expect(read('LICENSE')).to.match(/^\s+Apache License\n\s+Version 2\.0, January 2004\n/);
  });
});

describe('the releases of Node', () => {
  it('are tested by the workflow: those that it is shipped on, and the oldest that package.json allows', () => {
    const workflow = read('.github/workflows/check.yml');
    const [, oldest] = /^>=(\d+\.\d+)$/.exec(manifest.engines.node) ?? [];
    expect(workflow).to.include(`node-version: "${oldest}"`);
    expect(workflow).to.include('run: .ci/run');
    const [, list = ''] = /node: \[(.*)\]/.exec(workflow) ?? [];
    expect(list.split(', ')).to.deep.equal(['"22"', '"24"']);
    expect(list).to.include(`"${read('.nvmrc').trim()}"`);
  });

  it('have a run each week of what takes too long for every change, on the release that it is built on', () => {
    const weekly = read('.github/workflows/weekly.yml');
    expect(weekly).to.include(`node-version: "${read('.nvmrc').trim()}"`);
    expect(weekly).to.match(/^ {4}- cron: "\d+ \d+ \* \* 0"$/m);
    for (const [, script] of weekly.matchAll(/npm run ([\w:]+)/g)) expect(manifest.scripts).to.have.property(script!);
    expect(weekly).to.include('npm run check:long');
    expect(read('scripts/tests/long.sh')).to.include('--only soak --minutes 15 --strict');
  });
});

describe('the change log', () => {
  it('dates each release, newest first, and begins with what is unreleased or with the version of package.json', () => {
    const headings = read('CHANGELOG.md')
      .split('\n')
      .filter((line) => line.startsWith('## '));
    const releases = headings.filter((line) => line !== '## Unreleased');
    for (const line of releases) expect(line).to.match(/^## \d+\.\d+\.\d+ \(\d{4}-\d\d-\d\d\)$/);
    const dates = releases.map((line) => line.slice(-11, -1));
    expect(dates).to.deep.equal([...dates].sort().reverse());
    expect(headings.indexOf('## Unreleased')).to.be.oneOf([0, -1]);
    expect(releases[0]).to.include(` ${manifest.version} `);
  });
});
