import type { Checker } from './checker.ts';

/** Every message that its reducer throws at is parked, once, and no other message is. */
export const deadLetters: Checker = ({ operations, witness, final, violations }) => {
  for (const [tag, letters] of witness.letters) {
    const operation = operations.all.get(tag);
    const deserved = operation?.type === 'poison' || operation?.type === 'garbage';
    if (!deserved) violations.add('dead letters', `${tag} was parked: ${letters[0]?.reason}`);
    else if (letters.length > 1 && !operations.lost.has(tag))
      violations.add('dead letters', `${tag} was parked ${letters.length} times`);
  }
  for (const { tag, type, knowledge } of operations.all.values()) {
    if (type !== 'poison' && type !== 'garbage') continue;
    if (final.applied.has(tag)) violations.add('dead letters', `${tag} was applied`);
    const acknowledged = knowledge === 'durable' || knowledge === 'parked';
    if (acknowledged && !witness.letters.has(tag) && !operations.lost.has(tag)) {
      violations.add('dead letters', `${tag} was acknowledged, and is not among the dead letters`);
    }
  }
};
