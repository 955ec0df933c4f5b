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

  it('says that a choice of texts is text', () => {
    const schema = Type.Object({ mode: Type.Enum(['rtb', 'delegate']), mixed: Type.Enum(['1', 2]) });
    expect(new Schemas().write(schema))
      .to.have.property('properties')
      .that.deep.equals({
        mode: { type: 'string', enum: ['rtb', 'delegate'] },
        mixed: { enum: ['1', 2] },
      });
  });

  it('refuses two shapes of one title', () => {
    const schemas = new Schemas();
    schemas.write(Shape);
    expect(() => schemas.write(Type.Object({ b: Type.String() }, { title: 'Shape' }))).to.throw('Shape');
  });
});
