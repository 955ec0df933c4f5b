// Writes the notices of third-party work: THIRD_PARTY_NOTICES, with the licence and notice of each production
// dependency and those of the dashboard, and sbom.cdx.json, a CycloneDX bill of materials. Run it when a dependency
// changes. The bill is made from the lock file, the texts come from the installed packages. Both tools are downloaded
// when needed, since nothing else uses them.
// Usage: node scripts/notices.mjs
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

// The last release that runs on Node 20.
const LICENCE_CHECKER = 'license-checker-rseidelsohn@4.4.2';
const BILL_MAKER = '@cyclonedx/cyclonedx-npm@6.0.1';
const RULE = '-'.repeat(80);

const output = (command, ...args) =>
  execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], maxBuffer: 64 * 1024 * 1024 });

/**
 * The bill is made with CycloneDX's own tool: `npm sbom --omit=dev` omits packages that a development dependency also
 * needs.
 */
function billOfMaterials() {
  const bill = JSON.parse(
    output(
      'npx',
      '--yes',
      BILL_MAKER,
      '--omit',
      'dev',
      '--package-lock-only',
      '--output-reproducible',
      '--mc-type',
      'application',
    ),
  );
  // The same lock file gives the same bill, whatever release of npm reads it.
  delete bill.metadata.tools;
  return `${JSON.stringify(bill, null, 2)}\n`;
}

function textOf(path) {
  if (path === undefined || !existsSync(path) || /readme/i.test(path)) return '';
  return readFileSync(path, 'utf8').replaceAll('\r\n', '\n').trim();
}

/** The packages that are installed with the exchange or bundled into the dashboard's pages, as `name@version`. */
function shippedPackages() {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  return new Set(
    Object.entries(packages)
      .filter(([place, { dev, devOptional, link }]) => place.includes('node_modules/') && !dev && !devOptional && !link)
      .map(([place, { version }]) => `${place.slice(place.lastIndexOf('node_modules/') + 13)}@${version}`),
  );
}

/** Packages of one publisher often share a text, which is written once. */
function notices() {
  const found = JSON.parse(output('npx', '--yes', LICENCE_CHECKER, '--json'));
  const shipped = shippedPackages();
  const sections = new Map();
  for (const [id, { licenses, licenseFile, noticeFile, repository }] of Object.entries(found)) {
    if (!shipped.has(id)) continue;
    const text = [textOf(licenseFile), textOf(noticeFile)].filter((part) => part !== '').join('\n\n');
    const key = text === '' ? `${licenses}` : text;
    const section = sections.get(key) ?? { packages: [], text };
    section.packages.push(`${id} (${licenses})${repository === undefined ? '' : ` ${repository}`}`);
    sections.set(key, section);
  }
  const written = [...sections.values()].map(({ packages, text }) =>
    [packages.sort().join('\n'), text || 'The package names its licence and has no file with its text.'].join('\n\n'),
  );
  const head = `Third-party notices

This program contains the packages below, each under the licence that is named with it. Packages for one operating system
are those of Linux. Written by \`npm run notices\`.`;
  return `${[head, ...written.sort()].join(`\n\n${RULE}\n\n`)}\n`;
}

writeFileSync('sbom.cdx.json', billOfMaterials());
writeFileSync('THIRD_PARTY_NOTICES', notices());
