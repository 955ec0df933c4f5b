import Type, { type TObject, type TSchema } from 'typebox';
import { isPaged } from '../lists/list-headers.ts';
import type { AnyRoute } from '../routing/route.ts';
import { writeCsv } from '../routing/write-csv.ts';
import { commonHeaders, type HeaderName, headerReferences, parameterReference } from './components.ts';
import type { Content, Operation, Parameter, Reference, Response } from './document.ts';
import { errorAnswers, takesIfMatch } from './error-answers.ts';
import { composeExample } from './examples.ts';
import type { Schemas } from './schemas.ts';
import { fieldDescription } from './vocabulary/field-vocabulary.ts';

const Html = Type.String({ title: 'Html', description: 'A document to look at.' });
const Csv = Type.String({ title: 'Csv', description: 'A table by RFC 4180, with a line of headings.' });

/** The path in the form of OpenAPI: `/api/supply/sources/{id}` for `/api/supply/sources/:id`. */
export function pathTemplateOf(route: AnyRoute): string {
  return route.path.replaceAll(/:(\w+)/g, '{$1}');
}

/** Builds the document's operation of one route, entirely from the route's declaration. */
export function describeRoute(route: AnyRoute, schemas: Schemas, bodyLimitBytes: number): Operation {
  const parameters = [...ownParameters(route), ...commonParameters(route)];
  return {
    operationId: route.operationId,
    tags: [route.tag],
    summary: route.summary,
    ...(route.description === undefined ? {} : { description: route.description }),
    security: securityOf(route),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(route.body === undefined ? {} : { requestBody: requestBody(route, route.body, schemas, bodyLimitBytes) }),
    responses: { ...successes(route, schemas), ...errorAnswers(route) },
  };
}

function securityOf({ access }: AnyRoute): Operation['security'] {
  switch (access) {
    case 'public':
      return [];
    case 'account':
      return [{ apiKey: [] }, { session: [] }];
    case 'login':
    case 'session':
    case 'operator':
    case 'publisher-session':
    case 'dsp-session':
      return [{ session: [] }];
    case 'publisher-key':
      return [{ publisherKey: [] }, { session: [] }];
    case 'dsp-key':
      return [{ dspKey: [] }, { session: [] }];
  }
  throw new Error(`no security scheme is known for ${access}`);
}

function ownParameters(route: AnyRoute): Parameter[] {
  return [...parametersOf(route, route.params, 'path'), ...parametersOf(route, route.query, 'query')];
}

function parametersOf(route: AnyRoute, object: TObject | undefined, place: 'path' | 'query'): Parameter[] {
  const required = new Set<string>((object?.required as string[] | undefined) ?? []);
  return Object.entries(object?.properties ?? {}).map(([name, property]) => {
    const { description: own, ...schema } = property as TSchema & { description?: string };
    const description = own ?? (place === 'path' ? pathParameterDescription(route.path, name) : fieldDescription(name));
    return {
      name,
      in: place,
      ...(place === 'path' || required.has(name) ? { required: true } : {}),
      ...(description === undefined ? {} : { description }),
      schema,
    };
  });
}

/** The description of a path parameter: `id` in `/api/supply/sources/:id` is the id of a supply source. */
function pathParameterDescription(path: string, name: string): string | undefined {
  if (name !== 'id' && name !== 'name') return fieldDescription(name);
  const steps = path.slice(0, path.indexOf(`/:${name}`)).split('/');
  const owner = steps.slice(steps.at(-1) === 'sources' ? -2 : -1).join(' ');
  const noun = owner === 'dsp' ? 'demand source' : owner.replace(/s$/, '');
  return `The ${name} of the ${noun}.`;
}

const ofAccounts: ReadonlySet<AnyRoute['access']> = new Set(['account', 'login', 'session', 'operator']);

function commonParameters(route: AnyRoute): Reference[] {
  const references: Reference[] = [];
  const refer = (name: Parameters<typeof parameterReference>[0]) => references.push(parameterReference(name));
  const ofAccount = ofAccounts.has(route.access);
  if (ofAccount && route.sandbox !== 'always') {
    refer('sandboxHeader');
    if (route.query?.properties.sandbox === undefined) refer('sandboxQuery');
  }
  if (ofAccount) refer(route.partner === 'required' ? 'requiredPartner' : 'partner');
  if (route.method !== 'GET' && route.access !== 'public') refer('idempotencyKey');
  if (takesIfMatch(route)) refer('ifMatch');
  if (answersNotModified(route)) refer('ifNoneMatch');
  return references;
}

function answersNotModified(route: AnyRoute): boolean {
  return route.method === 'GET';
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
    content: {
      'application/json': withExample(
        schemas.writeAs(`${typeName(route.operationId)}Request`, body),
        route.examples?.body,
      ),
    },
  };
}

function successes(route: AnyRoute, schemas: Schemas): Record<string, Response> {
  const { status, csv, file, headers = {} } = route.answer;
  const names: HeaderName[] = [...commonHeaders, 'Warning'];
  if (route.revised || route.method === 'GET') names.push('ETag');
  if (csv !== undefined || file !== undefined) names.push('Content-Disposition');
  if (route.query?.properties.per_page !== undefined) names.push('X-Total-Count');
  if (isPaged(route)) names.push('Link');
  const own = Object.entries(headers).map(([name, value]) => [name, { schema: { type: 'string', const: value } }]);
  const content = status === 204 ? {} : { content: answerContent(route, schemas) };
  const answer: Response = {
    description: { 200: 'Done.', 201: 'Created.', 204: 'Done; there is nothing to say.' }[status as 200 | 201 | 204],
    headers: { ...headerReferences(names), ...Object.fromEntries(own) },
    ...content,
  };
  if (!answersNotModified(route)) return { [status]: answer };
  const unchanged = { description: 'The caller has it already.', headers: headerReferences(names) };
  return { [status]: answer, 304: unchanged };
}

function answerContent(route: AnyRoute, schemas: Schemas): Record<string, Content> {
  const { schema, csv, html, file } = route.answer;
  const written = schemas.writeAs(`${typeName(route.operationId)}Response`, schema);
  const example = route.examples?.answer ?? composeExample(written, (part) => schemas.resolve(part));
  if (file !== undefined) return { [file]: withExample(written, example) };
  const json = { 'application/json': withExample(written, example) };
  if (html !== undefined) return { ...json, 'text/html': withExample(schemas.write(Html), html.write(example)) };
  if (csv === undefined) return json;
  return { ...json, 'text/csv': withExample(schemas.write(Csv), writeCsv(csv(example))) };
}

/** The operation id (`listPools`) as the beginning of a type's name. */
function typeName(operationId: string): string {
  return `${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}`;
}

function withExample(schema: Content['schema'], example: unknown): Content {
  return example === undefined ? { schema } : { schema, example };
}
