import Type from 'typebox';
import { type AnyRoute, defineRoute } from '../routing/route.ts';
import type { ManagementSettings } from '../settings.ts';
import { describeApi } from './describe-api.ts';
import type { OpenApiDocument } from './document.ts';

/** Serves the description of all routes, including this one; `all` is called after every route was declared. */
export function openApiRoute(all: () => readonly AnyRoute[]) {
  const documents = new WeakMap<ManagementSettings, OpenApiDocument>();
  return defineRoute({
    method: 'GET',
    path: '/api/openapi.json',
    tag: 'Service',
    operationId: 'getOpenApi',
    summary: 'Read this description',
    description:
      'OpenAPI 3.1, made of the routes that are served. The operation ids are names of methods for generated clients, and stay.',
    access: 'public',
    answer: {
      status: 200,
      schema: Type.Object({
        openapi: Type.Literal('3.1.0'),
        info: Type.Object({ title: Type.String(), version: Type.String(), description: Type.String() }),
        servers: Type.Array(Type.Object({ url: Type.String() })),
        tags: Type.Array(Type.Object({ name: Type.String(), description: Type.String() })),
        paths: Type.Object({}, { description: 'Path → method → operation.' }),
        components: Type.Object({}),
      }),
      headers: { 'Cache-Control': 'public, max-age=60' },
    },
    async handle({ parts: { settings } }) {
      const known = documents.get(settings) ?? describeApi(all(), settings);
      documents.set(settings, known);
      return known as never;
    },
  });
}
