import { Validator } from '@seriousme/openapi-schema-validator';
import { expect } from 'chai';
import { Compile } from 'typebox/compile';
import { errorCatalogue } from '../../../../gateways/errors.ts';
import { errorSchema } from '../../../../gateways/management/openapi/components.ts';
import { describeApi } from '../../../../gateways/management/openapi/describe-api.ts';
import { pathTemplateOf } from '../../../../gateways/management/openapi/describe-route.ts';
import type { OpenApiDocument } from '../../../../gateways/management/openapi/document.ts';
import { errorsOf } from '../../../../gateways/management/openapi/error-answers.ts';
import { routes } from '../../../../gateways/management/routes.ts';
import { apiRouter } from '../../../../gateways/management/routing/api-router.ts';
import { defaultManagementSettings } from '../../../../gateways/management/settings.ts';
import { type RunningManagement, startManagement } from '../running-management.ts';

const described = describeApi(routes, defaultManagementSettings);
/** As callers get it. */
const document: OpenApiDocument = JSON.parse(JSON.stringify(described));
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation })),
);

describe('gateways/management/openapi', () => {
  let running: RunningManagement;
  before(async function () {
    running = await startManagement(this);
  });
  after(() => running.close());

  it('is valid OpenAPI 3.1', async () => {
    const { valid, errors } = await new Validator().validate(JSON.parse(JSON.stringify(document)));
    expect(errors ?? []).to.deep.equal([]);
    expect(valid).to.equal(true);
  });

  it('describes every route that is served, and no other', () => {
    const served = apiRouter(routes, running.parts).stack.flatMap(({ path, methods }) =>
      // The router answers HEAD wherever it answers GET.
      methods.filter((method) => method !== 'HEAD').map((method) => `${method} ${String(path)}`),
    );
    const template = (name: string) => name.replaceAll(/:(\w+)/g, '{$1}');
    expect(served.map(template).sort()).to.deep.equal(operations.map(({ name }) => name).sort());
  });

  it('is served to everybody, with the errors in it that everybody may get', async () => {
    const answer = await running.anonymous.get('/api/openapi.json');
    expect(answer.status).to.equal(200);
    expect(answer.body.paths).to.deep.equal(document.paths);
    expect(answer.body.servers[0].url).to.equal(running.parts.settings.publicBaseUrl);
  });

  it('refers to nothing that is not there', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path]) => path!);
    expect(references).not.to.have.length(0);
    for (const path of new Set(references)) {
      const target = path
        .split('/')
        .reduce((within: unknown, step) => (within as Record<string, unknown>)?.[step], document);
      expect(target, path).to.be.an('object');
    }
  });

  it('gives each operation an id of its own, a summary, a known tag and all common headers', () => {
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).to.equal(ids.length);
    const tags = document.tags.map(({ name }) => name);
    for (const { name, operation } of operations) {
      expect(operation.summary, name).to.match(/^[A-Z].*[^.]$/);
      expect(tags, name).to.include.members([...operation.tags]);
      const [, success] = Object.entries(operation.responses).find(([status]) => status.startsWith('2'))!;
      expect(success, name).to.have.property('headers').that.includes.all.keys('X-Request-Id', 'X-RateLimit-Limit');
    }
  });

  it('names operations for generated clients', () => {
    const idOf = (method: string, path: string) => document.paths[path]?.[method]?.operationId;
    expect([
      idOf('get', '/api/supply/sources'),
      idOf('put', '/api/supply/sources/{id}'),
      idOf('get', '/api/supply/sources/{id}/stats'),
      idOf('get', '/api/account'),
      idOf('get', '/api/accounts/{id}'),
      idOf('get', '/api/schemas/strategy.json'),
    ]).to.deep.equal([
      'get-supply-sources',
      'put-supply-source-by-id',
      'get-supply-source-stats',
      'get-account',
      'get-account-by-id',
      'get-schemas-strategy-json',
    ]);
  });

  describe('examples', () => {
    for (const [name, schema] of Object.entries(document.components.schemas ?? {})) {
      const { examples, ...shape } = schema as { examples?: unknown[] };
      if (examples === undefined) continue;
      it(`${name}: is of its shape`, () => {
        for (const example of examples) expect(Compile(shape).Errors(example)).to.deep.equal([]);
      });
    }
    for (const route of routes) {
      const { body, answer } = route.examples ?? {};
      const name = `${route.method} ${pathTemplateOf(route)}`;
      if (body !== undefined) {
        it(`${name}: the body is one that it takes`, () => {
          expect(Compile(route.body!).Errors(body)).to.deep.equal([]);
        });
      }
      if (answer !== undefined) {
        it(`${name}: the answer is one that it gives`, () => {
          expect(Compile(route.answer.schema).Errors(answer)).to.deep.equal([]);
        });
      }
    }

    it('of errors have the form of errors, and their code', () => {
      const check = Compile(errorSchema as never);
      const responses = Object.values(document.components.responses!) as {
        content: { 'application/json': { examples: Record<string, { value: { error: { code: string } } }> } };
      }[];
      for (const { content } of responses) {
        for (const [code, { value }] of Object.entries(content['application/json'].examples)) {
          expect(check.Errors(value), code).to.deep.equal([]);
          expect(value.error.code).to.equal(code);
        }
      }
    });
  });

  describe('errors', () => {
    const errorsAt = (method: string, path: string) => {
      const route = routes.find((candidate) => candidate.method === method && candidate.path === path);
      expect(route, `${method} ${path}`).not.to.equal(undefined);
      return errorsOf(route!);
    };
    const always = [
      'INVALID_PARAMS',
      'UNAUTHORIZED',
      'FORBIDDEN',
      'RATE_LIMITED',
      'INTERNAL_ERROR',
      'SERVICE_UNAVAILABLE',
    ];

    it('of a read are those that nobody escapes, and 404 where a path has an id', () => {
      expect(errorsAt('GET', '/api/supply/sources')).to.have.members(always);
      expect(errorsAt('GET', '/api/supply/sources/:id')).to.have.members([...always, 'NOT_FOUND']);
    });

    it('of a change are those of its body and its revision too', () => {
      const body = ['INVALID_JSON', 'VALIDATION_ERROR', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'];
      expect(errorsAt('PUT', '/api/supply/sources/:id')).to.have.members([
        ...[...always, ...body],
        ...['NOT_FOUND', 'CONFLICT', 'PRECONDITION_FAILED', 'QUOTA_EXCEEDED'],
      ]);
    });

    it('are answered as the catalogue has them', () => {
      const { responses } = document.paths['/api/supply/sources/{id}']!.put!;
      const statuses = errorsAt('PUT', '/api/supply/sources/:id').map((code) => String(errorCatalogue[code].status));
      expect(Object.keys(responses)).to.have.members(['200', ...new Set(statuses)]);
    });
  });
});
