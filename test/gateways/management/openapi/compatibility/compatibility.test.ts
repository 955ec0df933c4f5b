import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { describeApi } from '#gateways/management/openapi/describe-api';
import { routes } from '#gateways/management/routes';
import { defaultManagementSettings } from '#gateways/management/settings';
import { breakingDifferences, type Document } from './compare.ts';

const heading = '### What breaks callers of the API of 0.4.0';

const released: Document = JSON.parse(readFileSync(new URL('./openapi-0.4.0.json', import.meta.url), 'utf8'));
const current: Document = JSON.parse(JSON.stringify(describeApi(routes, defaultManagementSettings)));

/** What the change log lists below the heading, up to the next one. */
function listed(): string[] {
  const changes = readFileSync('CHANGELOG.md', 'utf8');
  const [, section = ''] = changes.split(`${heading}\n`);
  const lines = section.split(/\n#/)[0]!.split('\n');
  return lines.filter((line) => line.startsWith('- `')).map((line) => line.slice(3, line.lastIndexOf('`')));
}

describe('gateways/management/openapi: compatibility', () => {
  it('breaks no caller of 0.4.0 in a way that the change log does not list', () => {
    const differences = breakingDifferences(released, current);
    expect(differences.filter((one) => !listed().includes(one))).to.deep.equal([]);
  });

  it('lists nothing in the change log that breaks no caller', () => {
    const differences = breakingDifferences(released, current);
    expect(listed().filter((one) => !differences.includes(one))).to.deep.equal([]);
  });

  it('compares a document with itself without a difference', () => {
    expect(breakingDifferences(current, current)).to.deep.equal([]);
    expect(breakingDifferences(released, released)).to.deep.equal([]);
  });

  const changed = (change: (document: Document) => void): string[] => {
    const after = structuredClone(released);
    change(after);
    return breakingDifferences(released, after);
  };
  const source = (document: Document) => document.components.schemas.SupplySource;
  const body = (document: Document) =>
    document.paths['/api/supply/pools'].post.requestBody.content['application/json'].schema;

  it('finds a path, a method and a parameter that are gone', () => {
    expect(changed(({ paths }) => delete paths['/api/metrics/blocked'])).to.deep.equal([
      'GET /api/metrics/blocked: is gone',
    ]);
    expect(changed(({ paths }) => delete paths['/api/webhooks'].post)).to.deep.equal(['POST /api/webhooks: is gone']);
    expect(changed(({ paths }) => paths['/api/supply/sources'].get.parameters.shift())).to.deep.equal([
      'GET /api/supply/sources: query page is gone',
    ]);
  });

  it('finds a member that is gone from answers, or changes its type, at any depth', () => {
    const gone = changed((document) => delete source(document).properties.domain);
    expect(gone).to.include('GET /api/supply/sources: answer publishers[].domain is gone');
    expect(gone).to.include('GET /api/supply/sources/{id}: answer domain is gone');
    const retyped = changed((document) => {
      source(document).properties.sandbox = { type: 'string' };
    });
    expect(retyped).to.include('GET /api/supply/sources/{id}: answer sandbox may be string');
  });

  it('finds what must be sent, and values that are refused', () => {
    const found = changed((document) => {
      body(document).required.push('description');
      body(document).properties.name.maxLength = 10;
    });
    expect(found).to.deep.equal([
      'POST /api/supply/pools: request name has maxLength 10',
      'POST /api/supply/pools: request description is required',
    ]);
    const narrowed = changed(({ paths }) => paths['/api/supply/sources'].get.parameters[2].schema.enum.shift());
    expect(narrowed).to.deep.equal(['GET /api/supply/sources: query status is not active any more']);
  });

  it('takes what is new for no difference', () => {
    const found = changed((document) => {
      document.paths['/api/new'] = {};
      source(document).properties.more = { type: 'string' };
      body(document).properties.more = { type: 'string' };
    });
    expect(found).to.deep.equal([]);
  });
});
