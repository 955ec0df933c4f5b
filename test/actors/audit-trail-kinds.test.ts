import { expect } from 'chai';
import { AUDITED_KINDS, AUDITED_MESSAGES, UNAUDITED } from '../../actors/audit-entry/trail.ts';
import { actorKinds } from '../../composition/actor-kinds.ts';

describe('actors: what leaves an audit entry', () => {
  const kindsNamed = new Set([...AUDITED_MESSAGES].map((name) => name.split('/', 1)[0]));

  it('is decided for every kind of actor, and for every message of those that leave some', () => {
    const undecided = actorKinds.flatMap(({ kind, messages }) => {
      const lists = [AUDITED_KINDS.has(kind), kindsNamed.has(kind), kind in UNAUDITED].filter(Boolean);
      if (lists.length !== 1) return [kind];
      if (!kindsNamed.has(kind)) return [];
      const names = Object.keys(messages).map((type) => `${kind}/${type}`);
      return names.filter((name) => AUDITED_MESSAGES.has(name) === name in UNAUDITED);
    });
    expect(undecided).to.deep.equal([]);
  });

  it('names nothing that is not there, and gives each exception a reason', () => {
    const all = new Set(
      actorKinds.flatMap(({ kind, messages }) => [kind, ...Object.keys(messages).map((type) => `${kind}/${type}`)]),
    );
    expect(
      [...AUDITED_KINDS, ...AUDITED_MESSAGES, ...Object.keys(UNAUDITED)].filter((name) => !all.has(name)),
    ).to.deep.equal([]);
    for (const [name, reason] of Object.entries(UNAUDITED)) expect(reason, name).to.match(/^[a-z]+ .{6,}$/);
  });
});
