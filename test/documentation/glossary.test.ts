import { existsSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { actorKinds } from '../../composition/actor-kinds.ts';

const sections = new Map(
  readFileSync('docs/glossary.md', 'utf8')
    .split('\n## ')
    .map((section) => [section.split('\n')[0]!, section]),
);
const STORED = 'Stored names that keep an older word';

function rowsOf(section: string): string[][] {
  return section
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| ---'))
    .slice(1)
    .map((line) => line.split('|').map((cell) => cell.trim()));
}

const ticked = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, name]) => name!);

describe('docs/glossary.md', () => {
  it('names places that exist', () => {
    const places = [...sections]
      .filter(([, section]) => section.includes('where it lives'))
      .flatMap(([, section]) => rowsOf(section).flatMap((cells) => ticked(cells[3]!)));
    const paths = places.filter((place) => place.includes('/'));
    expect(paths.length).to.be.greaterThan(60);
    expect(paths.filter((path) => !existsSync(path))).to.deep.equal([]);
  });

  it('has each term once', () => {
    const terms = [...sections]
      .filter(([, section]) => section.includes('where it lives'))
      .flatMap(([, section]) => rowsOf(section).flatMap((cells) => cells[1]!.split(', ')));
    expect(terms.filter((term, index) => terms.indexOf(term) !== index)).to.deep.equal([]);
  });

  it('maps kinds and messages that are stored under these names', () => {
    const rows = rowsOf(sections.get(STORED)!).filter(([, stored]) => stored!.startsWith('kind '));
    expect(rows.length).to.be.greaterThan(4);
    for (const [, stored = ''] of rows) {
      const kind = /^kind `([a-z-]+)`/.exec(stored)![1]!;
      const definition = actorKinds.find((known) => known.kind === kind);
      expect(definition, kind).not.to.equal(undefined);
      const messages = ticked(/messages? ((?:`[a-z-]+`(?:, )?)+)/.exec(stored)?.[1] ?? '');
      // One of the messages of a name is answered by the kinds that bear it.
      const known = actorKinds.flatMap((each) => Object.keys(each.messages));
      for (const message of messages) expect(known, `${kind}: ${message}`).to.include(message);
    }
  });
});
