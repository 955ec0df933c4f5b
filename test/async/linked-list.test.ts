import { expect } from 'chai';
import { Linked, LinkedList } from '#async/linked-list';
import { movedToOldGeneration } from '#test/support/moved-to-old-generation';

class Entry extends Linked<Entry> {
  /** Some 40 KB. */
  readonly held = Array.from({ length: 1_000 }, (_, index) => ({ index }));
}

describe('async/linked-list', () => {
  it('keeps entries in the order in which they came, whichever leave', () => {
    const list = new LinkedList<Entry>();
    const entries = Array.from({ length: 5 }, () => new Entry());
    for (const entry of entries) list.add(entry);
    expect([...list]).to.deep.equal(entries);
    const [first, second, third, fourth, fifth] = entries as [Entry, Entry, Entry, Entry, Entry];
    expect(list.delete(third)).to.equal(true);
    expect(list.delete(third)).to.equal(false);
    expect(list.delete(new Entry())).to.equal(false);
    expect([...list]).to.deep.equal([first, second, fourth, fifth]);
    list.delete(first);
    list.delete(fifth);
    expect([...list]).to.deep.equal([second, fourth]);
    expect(list.size).to.equal(2);
    list.delete(second);
    list.delete(fourth);
    expect(list.first).to.equal(null);
    list.add(third);
    list.add(first);
    expect([...list]).to.deep.equal([third, first]);
    expect(list.size).to.equal(2);
  });

  it('can be walked while the entries that are reached leave', () => {
    const list = new LinkedList<Entry>();
    const entries = Array.from({ length: 3 }, () => new Entry());
    for (const entry of entries) list.add(entry);
    const walked: Entry[] = [];
    for (const entry of list) {
      walked.push(entry);
      list.delete(entry);
    }
    expect(walked).to.deep.equal(entries);
    expect(list.size).to.equal(0);
  });

  it('leaves nothing of what is gone for the collector to carry along', () => {
    const list = new LinkedList<Entry>();
    const moved = movedToOldGeneration(() => {
      list.add(new Entry());
      if (list.size > 16) list.delete(list.first!);
    });
    expect(list.size).to.equal(16);
    expect(moved).to.be.below(500_000);
  });
});
