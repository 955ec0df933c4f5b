import { Validator } from '@seriousme/openapi-schema-validator';
import { expect } from 'chai';
import { Compile } from 'typebox/compile';
import { errorCatalogue } from '#gateways/errors';
import { errorSchema } from '#gateways/management/openapi/components';
import { describeApi } from '#gateways/management/openapi/describe-api';
import { pathTemplateOf } from '#gateways/management/openapi/describe-route';
import type { OpenApiDocument, Response } from '#gateways/management/openapi/document';
import { errorsOf } from '#gateways/management/openapi/error-answers';
import { routes } from '#gateways/management/routes';
import { apiRouter } from '#gateways/management/routing/api-router';
import { defaultManagementSettings } from '#gateways/management/settings';
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

  it('is public, with the errors in it that every caller may get', async () => {
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

  it('names operations as methods of generated clients', () => {
    const idOf = (method: string, path: string) => document.paths[path]?.[method]?.operationId;
    for (const { name, operation } of operations)
      expect(operation.operationId, name).to.match(/^[a-z]+([A-Z][a-z]+)*$/);
    expect([
      idOf('post', '/api/supply/sources'),
      idOf('put', '/api/supply/sources/{id}'),
      idOf('get', '/api/supply/sources/{id}/stats'),
      idOf('get', '/api/supply/pools'),
      idOf('get', '/api/accounts/{id}'),
      idOf('post', '/api/campaigns/{id}/pause'),
    ]).to.deep.equal([
      'createSupplySource',
      'updateSupplySource',
      'getSupplySourceStats',
      'listPools',
      'getAccount',
      'pauseCampaign',
    ]);
  });

  it('has a named schema for every body that is sent or answered', () => {
    for (const { name, operation } of operations) {
      const bodies = [operation.requestBody, ...Object.values(operation.responses)];
      for (const body of bodies) {
        const content = body !== undefined && 'content' in body ? body.content : {};
        for (const { schema } of Object.values(content ?? {})) {
          expect(schema, name)
            .to.have.property('$ref')
            .that.matches(/^#\/components\/schemas\/[A-Z][A-Za-z]+$/);
        }
      }
    }
  });

  it('describes every operation, every parameter and every field', () => {
    const silent: string[] = [];
    const demand = (part: { description?: unknown; $ref?: unknown }, name: string) => {
      if (part.$ref === undefined && !part.description) silent.push(name);
    };
    for (const { name, operation } of operations) {
      demand(operation, name);
      for (const one of operation.parameters ?? []) demand(one, `${name}: ${'name' in one ? one.name : one.$ref}`);
    }
    const search = (part: unknown, name: string) => {
      if (typeof part !== 'object' || part === null) return;
      const {
        properties = {},
        examples: _,
        ...others
      } = part as { properties?: Record<string, object>; examples?: unknown };
      for (const [field, schema] of Object.entries(properties)) {
        demand(schema, `${name}.${field}`);
        search(schema, `${name}.${field}`);
      }
      for (const other of Object.values(others)) search(other, name);
    };
    for (const [name, schema] of Object.entries(document.components.schemas!)) search(schema, name);
    expect(silent).to.deep.equal([]);
  });

  describe('examples', () => {
    for (const [name, schema] of Object.entries(document.components.schemas ?? {})) {
      const { examples, ...shape } = schema as { examples?: unknown[] };
      if (examples === undefined) continue;
      it(`${name}: is of its shape`, () => {
        // With the components, to which it may refer.
        const check = Compile({ ...shape, components: document.components } as never);
        for (const example of examples) expect(check.Errors(example)).to.deep.equal([]);
      });
    }
    for (const route of routes) {
      const name = `${route.method} ${pathTemplateOf(route)}`;
      const { requestBody, responses } = document.paths[pathTemplateOf(route)]![route.method.toLowerCase()]!;
      if (requestBody !== undefined) {
        it(`${name}: the body is one that it takes`, () => {
          const { example } = requestBody.content['application/json']!;
          expect(example).not.to.equal(undefined);
          expect(Compile(route.body!).Errors(example)).to.deep.equal([]);
        });
      }
      if (route.answer.status === 204) continue;
      it(`${name}: the answer is one that it gives`, () => {
        const { content = {} } = responses[route.answer.status] as Response;
        for (const { example } of Object.values(content)) expect(example).not.to.equal(undefined);
        expect(
          Compile(route.answer.schema).Errors(content[route.answer.file ?? 'application/json']!.example),
        ).to.deep.equal([]);
      });
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

    it('of a read are those of every call, and 404 where a path has an id', () => {
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
