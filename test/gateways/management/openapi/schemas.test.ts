import { expect } from 'chai';
import Type from 'typebox';
import { Schemas } from '#gateways/management/openapi/schemas';

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
      title: Type.String({ description: 'A field of that name.' }),
      of: Type.Optional(Type.Unknown({ default: { title: 'Shape' } })),
    });
    const schemas = new Schemas();
    expect(schemas.write(schema)).to.deep.equal(JSON.parse(JSON.stringify(schema)));
    expect(schemas.components()).to.deep.equal({});
  });

  it('says that a choice of texts is text', () => {
    const schema = Type.Object({ choice: Type.Enum(['rtb', 'delegate']), mixed: Type.Enum(['1', 2]) });
    expect(new Schemas().write(schema))
      .to.have.property('properties')
      .that.deep.equals({
        choice: { type: 'string', enum: ['rtb', 'delegate'] },
        mixed: { enum: ['1', 2] },
      });
  });

  it('names a shape that has no name, and leaves the name of one that has', () => {
    const schemas = new Schemas();
    expect(schemas.writeAs('ListAnswer', Type.Array(Shape))).to.deep.equal({ $ref: '#/components/schemas/ListAnswer' });
    expect(schemas.writeAs('Other', Shape)).to.deep.equal({ $ref: '#/components/schemas/Shape' });
    expect(Object.keys(schemas.components())).to.deep.equal(['ListAnswer', 'Shape']);
    expect(schemas.resolve({ $ref: '#/components/schemas/ListAnswer' })).to.have.property('type', 'array');
  });

  it('describes a field by its name unless its own schema does', () => {
    const schema = Type.Object({
      fill_rate: Type.Number(),
      rps: Type.Number({ description: 'Mine.' }),
      odd: Type.Null(),
    });
    expect(new Schemas().write(schema))
      .to.have.property('properties')
      .that.deep.equals({
        fill_rate: { type: 'number', description: 'The share of what was asked for that was sold, from 0 to 1.' },
        rps: { type: 'number', description: 'Mine.' },
        odd: { type: 'null' },
      });
  });

  it('refuses two shapes of one title', () => {
    const schemas = new Schemas();
    schemas.write(Shape);
    expect(() => schemas.write(Type.Object({ b: Type.String() }, { title: 'Shape' }))).to.throw('Shape');
  });
});
