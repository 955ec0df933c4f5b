import { expect } from 'chai';
import type { TSchema } from 'typebox';
import Type from 'typebox';
import { actorKinds } from '../../composition/actor-kinds.ts';
import { routes } from '../../gateways/management/routes.ts';
import { SchemaValidator } from '../../runtime/schema-validator.ts';

/** By name, all that a running exchange compiles when it is needed first. */
function* everySchema(): Iterable<[name: string, schema: TSchema]> {
  for (const { kind, state, messages } of actorKinds) {
    yield [`state of ${kind}`, state];
    for (const [type, schema] of Object.entries<TSchema>(messages)) yield [`${kind}: ${type}`, schema];
  }
  for (const { method, path, params, query, body, answer } of routes) {
    const parts = { params, query, body, answer: answer.schema };
    for (const [part, schema] of Object.entries(parts)) if (schema) yield [`${part} of ${method} ${path}`, schema];
  }
}

/** A value that is no object is enough to have it compiled. */
const compile = (schema: TSchema) => new SchemaValidator(schema).check(Symbol.iterator);

describe('schemas of actors and routes', () => {
  it('can be compiled, all of them: no process finds out at work', () => {
    expect(() => compile(Type.String({ pattern: '(' })), 'one that cannot').to.throw();
    const broken: string[] = [];
    let schemas = 0;
    for (const [name, schema] of everySchema()) {
      schemas++;
      try {
        compile(schema);
      } catch (error) {
        broken.push(`${name}: ${error}`);
      }
    }
    expect(broken).to.deep.equal([]);
    expect(schemas).to.be.above(300);
  });
});
