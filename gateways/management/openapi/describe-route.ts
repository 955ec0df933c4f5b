import type { TObject, TSchema } from 'typebox';
import type { AnyRoute } from '../routing/route.ts';
import { commonHeaders, type HeaderName, headerReferences, parameterReference } from './components.ts';
import type { Content, Operation, Parameter, Reference, Response } from './document.ts';
import { errorAnswers, takesIfMatch } from './error-answers.ts';
import type { Schemas } from './schemas.ts';

/** `/api/supply/sources/:id` as OpenAPI writes it. */
export function pathTemplateOf(route: AnyRoute): string {
  return route.path.replaceAll(/:(\w+)/g, '{$1}');
}

/** What the document says of one route: all of it follows from the route's declaration. */
export function describeRoute(route: AnyRoute, schemas: Schemas, bodyLimitBytes: number): Operation {
  const parameters = [...ownParameters(route), ...commonParameters(route)];
  return {
    operationId: operationIdOf(route),
    tags: [route.tag],
    summary: route.summary,
    ...(route.description === undefined ? {} : { description: route.description }),
    security: securityOf(route),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(route.body === undefined ? {} : { requestBody: requestBody(route, route.body, schemas, bodyLimitBytes) }),
    responses: { ...successes(route, schemas), ...errorAnswers(route) },
  };
}

/**
 * Clients are generated with these names. `PUT /api/supply/sources/:id` is `put-supply-source-by-id`, and
 * `GET /api/supply/sources/:id/stats` is `get-supply-source-stats`.
 */
function operationIdOf({ method, path }: AnyRoute): string {
  const steps = path.split('/').filter((step) => step !== '' && step !== 'api');
  const words = steps.flatMap((step, at) => {
    if (step.startsWith(':')) return at === steps.length - 1 ? ['by-id'] : [];
    return [(steps[at + 1]?.startsWith(':') ? step.replace(/s$/, '') : step).replaceAll(/[._]/g, '-')];
  });
  return [method.toLowerCase(), ...words].join('-');
}

function securityOf({ access }: AnyRoute): Operation['security'] {
  switch (access) {
    case 'public':
      return [];
    case 'account':
      return [{ apiKey: [] }, { session: [] }];
    case 'session':
    case 'operator':
      return [{ session: [] }];
    case 'publisher-key':
      return [{ publisherKey: [] }];
    case 'dsp-key':
      return [{ dspKey: [] }];
  }
  throw new Error(`no security scheme is known for ${access}`);
}

function ownParameters(route: AnyRoute): Parameter[] {
  return [...parametersOf(route.params, 'path'), ...parametersOf(route.query, 'query')];
}

function parametersOf(object: TObject | undefined, place: 'path' | 'query'): Parameter[] {
  const required = new Set<string>((object?.required as string[] | undefined) ?? []);
  return Object.entries(object?.properties ?? {}).map(([name, property]) => {
    const { description, ...schema } = property as TSchema & { description?: string };
    return {
      name,
      in: place,
      ...(place === 'path' || required.has(name) ? { required: true } : {}),
      ...(description === undefined ? {} : { description }),
      schema,
    };
  });
}

function commonParameters(route: AnyRoute): Reference[] {
  const references: Reference[] = [];
  const refer = (name: Parameters<typeof parameterReference>[0]) => references.push(parameterReference(name));
  const ofAccount = route.access === 'account' || route.access === 'session' || route.access === 'operator';
  if (ofAccount && route.sandbox !== 'always') {
    refer('sandboxHeader');
    if (route.query?.properties.sandbox === undefined) refer('sandboxQuery');
  }
  if (ofAccount) refer(route.partner === 'required' ? 'requiredPartner' : 'partner');
  if (route.method !== 'GET' && route.access !== 'public') refer('idempotencyKey');
  if (takesIfMatch(route)) refer('ifMatch');
  if (answersUnchanged(route)) refer('ifNoneMatch');
  return references;
}

function answersUnchanged(route: AnyRoute): boolean {
  return route.revised === true && route.method === 'GET';
}

function requestBody(
  route: AnyRoute,
  body: TObject,
  schemas: Schemas,
  bodyLimitBytes: number,
): NonNullable<Operation['requestBody']> {
  const limit = route.bodyLimitBytes ?? bodyLimitBytes;
  const required = ((body.required as string[] | undefined) ?? []).length > 0;
  return {
    required,
    description: `At most ${limit.toLocaleString('en')} bytes, after decompression; \`Content-Encoding\` may be gzip, deflate or br.`,
    content: { 'application/json': withExample(schemas.write(body), route.examples?.body) },
  };
}

function successes(route: AnyRoute, schemas: Schemas): Record<string, Response> {
  const { status, schema, csv, headers = {} } = route.answer;
  const names: HeaderName[] = [...commonHeaders];
  if (route.revised) names.push('ETag');
  if (csv !== undefined) names.push('Content-Disposition');
  const own = Object.entries(headers).map(([name, value]) => [name, { schema: { type: 'string', const: value } }]);
  const content: Record<string, Content> = {
    'application/json': withExample(schemas.write(schema), route.examples?.answer),
  };
  if (csv !== undefined) {
    content['text/csv'] = { schema: { type: 'string', description: 'RFC 4180, with a line of headings.' } };
  }
  const answer: Response = {
    description: { 200: 'Done.', 201: 'Created.', 204: 'Done; there is nothing to say.' }[status as 200 | 201 | 204],
    headers: { ...headerReferences(names), ...Object.fromEntries(own) },
    ...(status === 204 ? {} : { content }),
  };
  if (!answersUnchanged(route)) return { [status]: answer };
  const unchanged = { description: 'The caller has it already.', headers: headerReferences(names) };
  return { [status]: answer, 304: unchanged };
}

function withExample(schema: Content['schema'], example: unknown): Content {
  return example === undefined ? { schema } : { schema, example };
}
