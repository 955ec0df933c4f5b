import { narrowings, type Schema, schemaDifferences } from './compare-schemas.ts';

/** A parsed OpenAPI 3.1 document: of another release, of which nothing is known but that it was valid. */
// biome-ignore lint/suspicious/noExplicitAny: it is walked by names
export type Document = any;

/**
 * What programs written for the API of `before` meet in that of `after` that may break them, one line each: operations,
 * answers and their members that are gone; what must be sent now and had not to be; values that are refused now. What
 * is new is no difference.
 */
export function breakingDifferences(before: Document, after: Document): string[] {
  const differences: string[] = [];
  for (const [path, methods] of Object.entries<Document>(before.paths)) {
    for (const [method, was] of Object.entries<Document>(methods)) {
      const name = `${method.toUpperCase()} ${path}`;
      const is = after.paths[path]?.[method];
      const found = is === undefined ? ['is gone'] : operationDifferences({ was, is, before, after });
      differences.push(...found.map((difference) => `${name}: ${difference}`));
    }
  }
  return [...new Set(differences)];
}

interface Operations {
  readonly was: Document;
  readonly is: Document;
  readonly before: Document;
  readonly after: Document;
}

function operationDifferences({ was, is, before, after }: Operations): string[] {
  const resolve = { was: resolver(before), is: resolver(after) };
  return [
    ...parameterDifferences(was.parameters?.map(resolve.was) ?? [], is.parameters?.map(resolve.is) ?? []),
    ...bodyDifferences({ was: was.requestBody, is: is.requestBody }, resolve),
    ...answerDifferences({ was: was.responses, is: is.responses }, resolve),
  ];
}

function parameterDifferences(was: Document[], is: Document[]): string[] {
  const known = new Map(was.map((one) => [`${one.in} ${one.name}`, one]));
  const now = new Map(is.map((one) => [`${one.in} ${one.name}`, one]));
  const gone = [...known.keys()].filter((name) => !now.has(name)).map((name) => `${name} is gone`);
  const changed = [...now].flatMap(([name, one]) => {
    const old = known.get(name);
    const required = one.required === true && old?.required !== true ? [`${name} is required`] : [];
    return old === undefined ? required : [...required, ...narrowings(old.schema, one.schema, name)];
  });
  return [...gone, ...changed];
}

type Resolvers = { readonly was: (part: Schema) => Schema; readonly is: (part: Schema) => Schema };

function bodyDifferences({ was, is }: { was: Document; is: Document }, resolve: Resolvers): string[] {
  if (is === undefined) return [];
  const required = is.required === true && was?.required !== true ? ['a body is required'] : [];
  if (was === undefined) return required;
  const [old, now] = [was, is].map((body) => body.content['application/json'].schema);
  return [...required, ...schemaDifferences(old, now, { resolve, direction: 'request' })];
}

function answerDifferences({ was, is }: { was: Document; is: Document }, resolve: Resolvers): string[] {
  return Object.entries<Document>(was).flatMap(([status, reference]) => {
    if (!status.startsWith('2')) return [];
    const now = is[status];
    if (now === undefined) return [`${status} is gone`];
    const contents = Object.entries<Document>((resolve.was(reference) as Document).content ?? {});
    return contents.flatMap(([type, { schema }]) => {
      const content = (resolve.is(now) as Document).content?.[type];
      if (content === undefined) return [`${status} is not answered as ${type} any more`];
      return schemaDifferences(schema, content.schema, { resolve, direction: 'answer' });
    });
  });
}

function resolver(document: Document): (part: Schema) => Schema {
  return (part) => {
    if (part.$ref === undefined) return part;
    const steps = String(part.$ref).replace('#/', '').split('/');
    return steps.reduce((within, step) => within[step], document);
  };
}
