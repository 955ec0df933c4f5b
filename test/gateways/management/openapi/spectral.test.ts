import spectral from '@stoplight/spectral-core';
import rulesets from '@stoplight/spectral-rulesets';
import { expect } from 'chai';
import { describeApi } from '#gateways/management/openapi/describe-api';
import { routes } from '#gateways/management/routes';
import { defaultManagementSettings } from '#gateways/management/settings';

/** Three seconds of computing, which a busy machine takes much longer for. */
const timeoutMs = 180_000;

const ruleset = {
  extends: [[rulesets.oas, 'all']],
  rules: {
    // OpenAPI 3.1 has `identifier` instead, and forbids both.
    'license-url': 'off',
    // Tags are in the order in which the API is read.
    'openapi-tags-alphabetical': 'off',
    // document.test.ts holds every example to its schema, in a tenth of the time.
    'oas3-valid-media-example': 'off',
    'oas3-valid-schema-example': 'off',
  },
} as unknown as spectral.RulesetDefinition;

const settings = {
  ...defaultManagementSettings,
  sellers: { ...defaultManagementSettings.sellers, contactEmail: 'exchange@example.com' },
};

describe('gateways/management/openapi: Spectral', () => {
  it('finds nothing against the document by any of its rules for OpenAPI', async function () {
    this.timeout(timeoutMs);
    const linter = new spectral.Spectral();
    linter.setRuleset(ruleset);
    const findings = await linter.run(JSON.stringify(describeApi(routes, settings)));
    expect(findings.map(({ code, path, message }) => `${code} at ${path.join('/')}: ${message}`)).to.deep.equal([]);
  });

  it('would find an operation without a description', async function () {
    this.timeout(timeoutMs);
    const { paths, ...document } = describeApi(routes, settings);
    const { description: _, ...operation } = paths['/api/health']!.get!;
    const linter = new spectral.Spectral();
    linter.setRuleset(ruleset);
    const findings = await linter.run(
      JSON.stringify({ ...document, components: {}, webhooks: {}, paths: { '/api/health': { get: operation } } }),
    );
    expect(findings.map(({ code }) => code)).to.include('operation-description');
  });
});
