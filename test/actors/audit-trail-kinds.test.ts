import { expect } from 'chai';
import { EXCEPTED, NAMED, WHOLE } from '../../actors/audit-entry/trail.ts';
import { actorKinds } from '../../composition/actor-kinds.ts';

describe('actors: what leaves an audit entry', () => {
  const kindsNamed = new Set([...NAMED].map((name) => name.split('/', 1)[0]));

  it('is decided for every kind of actor, and for every message of those that leave some', () => {
    const undecided = actorKinds.flatMap(({ kind, messages }) => {
      const lists = [WHOLE.has(kind), kindsNamed.has(kind), kind in EXCEPTED].filter(Boolean);
      if (lists.length !== 1) return [kind];
      if (!kindsNamed.has(kind)) return [];
      const names = Object.keys(messages).map((type) => `${kind}/${type}`);
      return names.filter((name) => NAMED.has(name) === name in EXCEPTED);
    });
    expect(undecided).to.deep.equal([]);
  });

  it('names nothing that is not there, and gives each exception a reason', () => {
    const all = new Set(
      actorKinds.flatMap(({ kind, messages }) => [kind, ...Object.keys(messages).map((type) => `${kind}/${type}`)]),
    );
    expect([...WHOLE, ...NAMED, ...Object.keys(EXCEPTED)].filter((name) => !all.has(name))).to.deep.equal([]);
    for (const [name, reason] of Object.entries(EXCEPTED)) expect(reason, name).to.match(/^[a-z]+ .{6,}$/);
  });
});
