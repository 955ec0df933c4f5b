import { expect } from 'chai';
import Type from 'typebox';
import { Schemas } from '../../../../gateways/management/openapi/schemas.ts';

describe('gateways/management/openapi/schemas', () => {
  const Shape = Type.Object({ a: Type.String() }, { title: 'Shape' });

  it('writes a shape with a title once, and refers to it wherever it occurs', () => {
    const schemas = new Schemas();
    const reference = { $ref: '#/components/schemas/Shape' };
    expect(
      schemas.write(Type.Object({ list: Type.Array(Shape), one: Type.Union([Shape, Type.Null()]) })),
    ).to.deep.equal({
      type: 'object',
      required: ['list', 'one'],
      properties: { list: { type: 'array', items: reference }, one: { anyOf: [reference, { type: 'null' }] } },
    });
    expect(schemas.components()).to.deep.equal({
      Shape: { type: 'object', required: ['a'], properties: { a: { type: 'string' } } },
    });
  });

  it('leaves values alone that look like schemas', () => {
    const schema = Type.Object({
      title: Type.String(),
      of: Type.Optional(Type.Unknown({ default: { title: 'Shape' } })),
    });
    const schemas = new Schemas();
    expect(schemas.write(schema)).to.deep.equal(JSON.parse(JSON.stringify(schema)));
    expect(schemas.components()).to.deep.equal({});
  });

  it('refuses two shapes of one title', () => {
    const schemas = new Schemas();
    schemas.write(Shape);
    expect(() => schemas.write(Type.Object({ b: Type.String() }, { title: 'Shape' }))).to.throw('Shape');
  });
});
