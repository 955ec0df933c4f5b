import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';

const DECISIONS = 'docs/decisions';
const SUBSYSTEMS = 'docs/subsystems';

interface Page {
  readonly file: string;
  readonly title: string;
  readonly status: string;
  readonly date: string;
}

interface IndexRow {
  readonly number: string;
  readonly title: string;
  readonly link: string;
  readonly status: string;
  readonly date: string;
}

/** Title, status and date stand on the first lines of a page; a page without one of them has '' there. */
function readPage(folder: string, file: string): Page {
  const [first = '', empty, statusLine = '', dateLine = ''] = readFileSync(`${folder}/${file}`, 'utf8').split('\n');
  return {
    file,
    title: /^# (.+)$/.exec(first)?.[1] ?? '',
    status: empty === '' ? (/^- Status: (.+)$/.exec(statusLine)?.[1] ?? '') : '',
    date: /^- Date: (\d{4}-\d{2}-\d{2})$/.exec(dateLine)?.[1] ?? '',
  };
}

const pagesIn = (folder: string) =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.md') && file !== 'README.md')
    .map((file) => readPage(folder, file));

function readIndex(): IndexRow[] {
  return readFileSync(`${DECISIONS}/README.md`, 'utf8')
    .split('\n')
    .flatMap((line) => {
      const cells = /^\| (\d{4}) +\| \[(.+)\]\((\S+)\) +\| (.+?) +\| (\d{4}-\d{2}-\d{2}) +\|$/.exec(line);
      if (cells === null) return [];
      const [, number, title, link, status, date] = cells as unknown as readonly string[];
      return [{ number: number!, title: title!, link: link!, status: status!, date: date! }];
    });
}

describe('docs/decisions', () => {
  const decisions = pagesIn(DECISIONS);
  const subsystems = pagesIn(SUBSYSTEMS);
  const index = readIndex();

  it('has an index of whole tables: what a merge leaves behind is no row', () => {
    for (const line of readFileSync(`${DECISIONS}/README.md`, 'utf8').split('\n')) {
      expect(line).not.to.match(/^\W*(<{4,}|={4,}|>{4,}|(> ){4,})/);
    }
  });

  it('has a number, a status and a date on every page', () => {
    expect(decisions.length).to.be.greaterThan(30);
    for (const { file, title, status, date } of decisions) {
      expect(title, file).to.match(new RegExp(`^${file.slice(0, 4)}\\. `));
      expect(status, file).to.match(/^(accepted|superseded by \d{4})$/);
      expect(date, file).not.to.equal('');
    }
  });

  it('lists every decision in the index, with the title, status and date of its page', () => {
    const rows = index.filter(({ link }) => !link.startsWith('../'));
    const listed = rows.map(({ number, title, link, status, date }) => ({
      file: link,
      title: `${number}. ${title}`,
      status,
      date,
    }));
    expect(listed).to.have.deep.members(decisions);
  });

  it('gives each number to one page', () => {
    const numbers = index.map(({ number }) => number);
    expect(new Set(numbers).size).to.equal(numbers.length);
  });

  it('names an existing decision wherever one is superseded', () => {
    const numbers = index.map(({ number }) => number);
    for (const { file, status } of decisions) {
      const by = /\d{4}$/.exec(status)?.[0];
      if (by !== undefined) expect(numbers, file).to.include(by);
    }
  });

  it('points from the number of each former decision to the page of its subsystem', () => {
    const rows = index.filter(({ link }) => link.startsWith('../'));
    expect(subsystems.length).to.be.greaterThan(10);
    for (const { number, link, status, date } of rows) {
      expect(status, link).to.equal('describes a subsystem');
      const page = subsystems.find(({ file }) => link === `../subsystems/${file}`);
      expect(page, link).not.to.equal(undefined);
      expect(page!.status, link).to.equal(`describes a subsystem (decision ${number})`);
      expect(page!.date, link).to.equal(date);
    }
    const linked = rows.map(({ link }) => link);
    const unlisted = subsystems.filter(
      ({ file, status }) => /decision/.test(status) && !linked.includes(`../subsystems/${file}`),
    );
    expect(unlisted).to.deep.equal([]);
  });

  it('has a row for each decision that the documentation or the code names by its number', () => {
    const numbers = new Set(index.map(({ number }) => number));
    const files = execFileSync('git', ['ls-files', '*.ts', '*.lua', '*.md'], { encoding: 'utf8' }).trim().split('\n');
    const named = files
      .filter((file) => existsSync(file))
      .flatMap((file) =>
        [...readFileSync(file, 'utf8').matchAll(/decisions?[ /](\d{4})\b/gi)].map(([, number]) => ({
          file,
          number: number!,
        })),
      );
    expect(named.length).to.be.greaterThan(10);
    expect(named.filter(({ number }) => !numbers.has(number))).to.deep.equal([]);
  });
});
