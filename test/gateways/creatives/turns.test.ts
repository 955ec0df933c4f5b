import { expect } from 'chai';
import { Turns } from '../../../gateways/creatives/turns.ts';

describe('gateways/creatives: turns', () => {
  const never = new AbortController().signal;
  const held = () => {
    let letGo = () => {};
    const holding = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    return { holding, letGo };
  };

  it('lets so many of each name through at once, in order', async () => {
    const turns = new Turns(2);
    const begun: string[] = [];
    const { holding, letGo } = held();
    const act = (name: string) => async () => {
      begun.push(name);
      await holding;
    };
    const all = ['1', '2', '3', '4'].map((name) => turns.take('a', never, act(name)));
    await turns.take('b', never, async () => void begun.push('of another'));
    expect(begun).to.deep.equal(['1', '2', 'of another']);
    letGo();
    await Promise.all(all);
    expect(begun).to.deep.equal(['1', '2', 'of another', '3', '4']);
  });

  it('passes a turn on when it fails, and over those who have given up', async () => {
    const turns = new Turns(1);
    const { holding, letGo } = held();
    const first = turns.take('a', never, async () => {
      await holding;
      throw new Error('failed');
    });
    const given = new AbortController();
    const second = turns.take('a', given.signal, async () => 'second').catch((error: Error) => error.message);
    const third = turns.take('a', never, async () => 'third');
    given.abort(new Error('given up'));
    expect(await second).to.equal('given up');
    letGo();
    expect(await first.catch((error: Error) => error.message)).to.equal('failed');
    expect(await third).to.equal('third');
    expect(await turns.take('a', never, async () => 'again')).to.equal('again');
  });
});
