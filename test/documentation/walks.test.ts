import { existsSync, readFileSync } from 'node:fs';
import { expect } from 'chai';

const NAMES = '`#?\\w+`(?:(?:, | and )`#?\\w+`)*';
const PATH = '`([\\w-]+(?:/[\\w.-]+)+\\.(?:ts|lua))`';

/** The text of one section of docs/architecture.md, in one line. */
function sectionOf(heading: string): string {
  const [, section] = readFileSync('docs/architecture.md', 'utf8').split(`\n## ${heading}\n`);
  return section!.split('\n## ')[0]!.replace(/\s+/g, ' ');
}

/** Functions and the file that the text says they are in: "`file` (`name`, `name`)" or "`name` in `file`". */
function namedIn(text: string): { readonly name: string; readonly file: string }[] {
  const each = (names: string, file: string) =>
    [...names.matchAll(/`(#?\w+)`/g)].map(([, name]) => ({ name: name!, file }));
  return [
    ...[...text.matchAll(new RegExp(`${PATH} \\((${NAMES})\\)`, 'g'))].flatMap(([, file, names]) =>
      each(names!, file!),
    ),
    ...[...text.matchAll(new RegExp(`(${NAMES}) (?:in|of) ${PATH}`, 'g'))].flatMap(([, names, file]) =>
      each(names!, file!),
    ),
  ];
}

describe('the way of one impression in docs/architecture.md', () => {
  const text = sectionOf('The way of one impression');

  it('leads through files that exist', () => {
    const files = [...text.matchAll(new RegExp(PATH, 'g'))].map(([, file]) => file!);
    expect(new Set(files).size).to.be.greaterThan(15);
    expect(files.filter((file) => !existsSync(file))).to.deep.equal([]);
  });

  it('names functions that stand in these files', () => {
    const named = namedIn(text);
    expect(named.length).to.be.greaterThan(15);
    expect(named.filter(({ name, file }) => !readFileSync(file, 'utf8').includes(name))).to.deep.equal([]);
  });
});
