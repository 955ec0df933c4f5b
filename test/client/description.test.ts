import { expect } from 'chai';
import { CHANGES_WITHOUT_KEY } from '#client/http/retry-policy';
import { describeApi } from '#gateways/management/openapi/describe-api';
import { routes } from '#gateways/management/routes';
import { defaultManagementSettings } from '#gateways/management/settings';

interface Described {
  readonly parameters?: readonly { readonly name?: string; readonly in?: string; readonly $ref?: string }[];
  readonly responses: Record<string, { content?: Record<string, { schema: { $ref?: string } }> }>;
}

const document = JSON.parse(JSON.stringify(describeApi(routes, defaultManagementSettings)));
const operations = Object.entries(document.paths as Record<string, Record<string, Described>>).flatMap(
  ([path, methods]) => Object.entries(methods).map(([method, described]) => ({ method, path, described })),
);

describe('what the client knows of the API besides its types', () => {
  it('is which changes take no Idempotency-Key', () => {
    const without = operations.filter(
      ({ method, described }) =>
        method !== 'get' && !described.parameters?.some(({ $ref }) => $ref?.endsWith('/idempotencyKey')),
    );
    expect(without.map(({ method, path }) => `${method.toUpperCase()} ${path}`)).to.have.members([
      ...CHANGES_WITHOUT_KEY,
    ]);
  });

  it('is that a page of a list has one array', () => {
    const lists = operations.filter(({ described }) =>
      described.parameters?.some(
        ({ name, in: place }) => place === 'query' && (name === 'cursor' || name === 'per_page'),
      ),
    );
    expect(lists.length).to.be.greaterThan(30);
    for (const { path, described } of lists) {
      const { $ref } = described.responses['200']!.content!['application/json']!.schema;
      const schema = document.components.schemas[$ref!.split('/').at(-1)!];
      const arrays = Object.values<{ type?: string }>(schema.properties).filter(({ type }) => type === 'array');
      expect(arrays, path).to.have.length(1);
    }
  });
});
