import { expect } from 'chai';
import Type, { type Static } from 'typebox';
import {
  changesFrom,
  createdFrom,
  defineFields,
  initialState,
  messageProperties,
  projectionOf,
  shownProperties,
  stateProperties,
  toApi,
  writtenProperties,
} from '#actors/field-table';
import { poolFields } from '#actors/pool/fields';
import { noPool } from '#actors/pool/reduce';

const Colour = Type.Enum(['red', 'blue']);

/** Pools as they would be with one field more, as CONTRIBUTING.md adds it. */
const painted = defineFields({
  ...poolFields,
  colour: {
    state: Colour,
    newInMessages: true,
    initial: 'red',
    projected: 'newer',
    api: { name: 'colour', shown: Colour, written: Colour, example: 'red' },
  },
});

describe('a field more in the table of pools', () => {
  const State = Type.Object(stateProperties(painted));
  const state: Static<typeof State> = { ...noPool, ...initialState(painted), name: 'Premium CTV' };

  it('is in the state, before and after creation', () => {
    expect(State.required).to.include('colour');
    expect(state.colour).to.equal('red');
  });

  it('is in the messages that create and change', () => {
    const body = Type.Object(messageProperties(painted));
    expect(body.properties).to.have.property('colour');
    expect(body.required, 'older gateways do not say it').to.not.include('colour');
  });

  it('is in the API, there and back', () => {
    expect(Type.Object(shownProperties(painted)).required).to.include('colour');
    expect(Type.Object(writtenProperties(painted)).required).to.deep.equal(['name']);
    const shown = toApi(painted, { ...state, colour: 'blue' }, { id: 'p', publisherCount: 1, dspCount: 2 });
    expect(shown).to.include({ colour: 'blue', name: 'Premium CTV', publisher_count: 1 });
    expect(createdFrom(painted, { name: 'Premium CTV' }).colour).to.equal('red');
    expect(changesFrom(painted, { colour: 'blue' })).to.deep.equal({ colour: 'blue' });
  });

  it('is what edges know of a pool', () => {
    expect(projectionOf(painted, state).colour).to.equal('red');
  });
});
