import { expect } from 'chai';
import { eventually } from '../../support/eventually.ts';
import type { DeclareTest } from './harness.ts';

export function replyCases(it: DeclareTest): void {
  it('delivers to the listener of the address, and to no other', async ({ provider: { replies } }) => {
    const heard: string[] = [];
    const overheard: string[] = [];
    await replies.listen('node-1', (payload) => heard.push(payload));
    await replies.listen('node-2', (payload) => overheard.push(payload));
    const payloads = Array.from({ length: 100 }, (_, at) => `${at}: \0 日本語 😀`);
    await Promise.all(payloads.map((payload) => replies.send('node-1', payload)));
    await replies.send('node-2', 'only this');
    await eventually('100 replies', () => heard.length >= 100);
    await eventually('the reply to the other', () => overheard.length >= 1);
    expect(heard).to.have.members(payloads);
    expect(overheard).to.deep.equal(['only this']);
  });

  it('drops a reply without a listener', async ({ provider: { replies } }) => {
    await replies.send('nobody', 'lost');
    const heard: string[] = [];
    await replies.listen('nobody', (payload) => heard.push(payload));
    await replies.send('nobody', 'heard');
    // Whether the first one comes late, to a listener that was not there when it was sent, is left open.
    await eventually('the second reply', () => heard.includes('heard'));
  });

  it('goes on after a listener that throws', async ({ provider: { replies } }) => {
    const heard: string[] = [];
    await replies.listen('fragile', (payload) => {
      if (payload === 'bad') throw new Error('a listener failed');
      heard.push(payload);
    });
    await replies.send('fragile', 'bad');
    await replies.send('fragile', 'good');
    await eventually('the reply after the failure', () => heard.length > 0);
    expect(heard).to.deep.equal(['good']);
  });

  it('reaches other processes', async (harness) => {
    const other = await harness.connect?.();
    try {
      const heard: string[] = [];
      await harness.provider.replies.listen('here', (payload) => heard.push(payload));
      await (other ?? harness.provider).replies.send('here', 'from there');
      await eventually('the reply of the other process', () => heard.length > 0);
      expect(heard).to.deep.equal(['from there']);
    } finally {
      await other?.close();
    }
  });
}
