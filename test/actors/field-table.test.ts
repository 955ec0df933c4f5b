import { expect } from 'chai';
import Type, { type Static } from 'typebox';
import {
  changesFrom,
  createdFrom,
  defineFields,
  exampleOf,
  initialState,
  messageProperties,
  type Projection,
  projectionOf,
  shownProperties,
  stateProperties,
  toApi,
  writtenProperties,
} from '../../actors/field-table.ts';

/** A shop with a field of each sort. */
const shop = defineFields({
  id: { api: { name: 'id', shown: Type.String(), example: 'shop-1' } },
  owner: { state: Type.String(), initial: '', projected: true },
  name: {
    state: Type.String(),
    message: Type.String({ minLength: 1 }),
    initial: '',
    projected: true,
    api: {
      name: 'name',
      shown: Type.String(),
      written: Type.String({ maxLength: 20 }),
      required: true,
      example: 'Corner',
    },
  },
  rentCents: {
    state: Type.Integer(),
    initial: 0,
    api: {
      name: 'rent',
      shown: Type.Number({ description: 'Euros.' }),
      written: Type.Number({ minimum: 0 }),
      example: 9.5,
      fromApi: (euros: number) => Math.round(euros * 100),
      toApi: (cents: number) => cents / 100,
    },
  },
  tags: {
    state: Type.Array(Type.String()),
    newInMessages: true,
    initial: [],
    projected: 'newer',
    api: { name: 'tags', shown: Type.Array(Type.String()), written: Type.Array(Type.String()), example: ['old'] },
  },
  door: {
    state: Type.Optional(Type.Enum(['open', 'shut'])),
    absent: 'shut',
    projected: 'newer',
    api: { name: 'door', shown: Type.Enum(['open', 'shut']), written: Type.Enum(['open', 'shut']), example: 'open' },
  },
  heirId: {
    state: Type.Union([Type.String(), Type.Null()]),
    initial: null,
    api: { name: 'heir_id', shown: Type.Union([Type.String(), Type.Null()]), example: null },
  },
  /** Callers write it and never see it. */
  alarmCode: {
    state: Type.Optional(Type.String()),
    initial: 'none',
    api: { name: 'alarm_code', written: Type.String() },
  },
});

const State = Type.Object(stateProperties(shop));
type State = Static<typeof State>;
const state: State = { owner: 'o', name: 'Corner', rentCents: 950, tags: ['a'], heirId: null };

describe('a field table', () => {
  it('gives the schema of the state and what it is before anything was created', () => {
    expect(Object.keys(State.properties)).to.deep.equal([
      ...['owner', 'name', 'rentCents', 'tags', 'door', 'heirId', 'alarmCode'],
    ]);
    expect(State.required).to.deep.equal(['owner', 'name', 'rentCents', 'tags', 'heirId']);
    const nothing: State = initialState(shop);
    expect(nothing).to.deep.equal({
      ...{ owner: '', name: '', rentCents: 0, tags: [], heirId: null, alarmCode: 'none' },
    });
  });

  it('gives the fields of messages: what callers may write, as strictly as messages are', () => {
    const message = Type.Object(messageProperties(shop));
    expect(message.required).to.deep.equal(['name', 'rentCents']);
    expect(message.properties.name).to.deep.equal(Type.String({ minLength: 1 }));
    expect(Object.keys(message.properties)).to.deep.equal(['name', 'rentCents', 'tags', 'door', 'alarmCode']);
  });

  it('gives the schemas of the API, by its names and in its order', () => {
    const shown = Type.Object(shownProperties(shop));
    expect(Object.keys(shown.properties)).to.deep.equal(['id', 'name', 'rent', 'tags', 'door', 'heir_id']);
    const written = Type.Object(writtenProperties(shop));
    expect(Object.keys(written.properties)).to.deep.equal(['name', 'rent', 'tags', 'door', 'alarm_code']);
    expect(written.required).to.deep.equal(['name']);
    expect(exampleOf(shop)).to.deep.equal({
      ...{ id: 'shop-1', name: 'Corner', rent: 9.5, tags: ['old'], door: 'open', heir_id: null },
    });
  });

  it('shows a state in the API: converted, with what the state has not, and with what an absence means', () => {
    const Shown = Type.Object(shownProperties(shop));
    const shown: Static<typeof Shown> = toApi(shop, state, { id: 'shop-7' });
    expect(shown).to.deep.equal({
      ...{ id: 'shop-7', name: 'Corner', rent: 9.5, tags: ['a'], door: 'shut', heir_id: null },
    });
    expect(toApi(shop, { ...state, door: 'open' } as State, { id: 'x' }).door).to.equal('open');
  });

  it('reads a body that creates: what it does not say is what it is initially', () => {
    expect(createdFrom(shop, { name: 'Corner' })).to.deep.equal({
      ...{ name: 'Corner', rentCents: 0, tags: [], door: 'shut', alarmCode: 'none' },
    });
    expect(createdFrom(shop, { name: 'Corner', rent: 1.25, door: 'open' })).to.deep.include({
      ...{ rentCents: 125, door: 'open' },
    });
  });

  it('reads a body that changes: what it does not say stays as it is', () => {
    expect(changesFrom(shop, {})).to.deep.equal({});
    expect(changesFrom(shop, { rent: 0, tags: [], alarm_code: '7' })).to.deep.equal({
      ...{ rentCents: 0, tags: [], alarmCode: '7' },
    });
  });

  it('gives what replicas hold', () => {
    const projection: Projection<typeof shop> = projectionOf(shop, state);
    expect(projection).to.deep.equal({ owner: 'o', name: 'Corner', tags: ['a'], door: 'shut' });
  });

  it('does not compile where a value is not one of its schema, or a field is unknown', () => {
    // @ts-expect-error A text is no integer.
    defineFields({ count: { state: Type.Integer(), initial: 'none' } });
    // @ts-expect-error This field does not exist.
    expect(changesFrom(shop, { colour: 'red' })).to.deep.equal({});
    // @ts-expect-error What is shown and not kept must be said.
    expect(toApi(shop, state, {})).to.have.property('name');
  });
});
