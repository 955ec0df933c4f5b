import { type Finding, fail, ok, warn } from '../finding.ts';

/** `engines` of package.json. */
const LEAST = [20, 19] as const;

/** Whether this Node is one that the exchange runs on (docs/dependencies.md, "Releases of Node"). */
export function node(version: string = process.versions.node): Finding[] {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major < LEAST[0] || (major === LEAST[0] && minor < LEAST[1])) {
    const todo = 'install Node 22 or 24';
    return [
      fail(`Node ${version}, and ${LEAST.join('.')} is the least`, 'packages of the exchange need newer ones', todo),
    ];
  }
  if (major % 2 === 1) {
    const means = 'odd releases get no fixes after half a year';
    return [warn(`Node ${version} is no release with long-term support`, means, 'use an even one: 22 or 24')];
  }
  return [ok(`Node ${version}`)];
}
