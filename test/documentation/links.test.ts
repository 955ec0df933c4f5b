import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect } from 'chai';
import { overviewPicture } from './overview-picture.ts';

/** What git keeps, and what is about to be kept. */
const PAGES = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '--', '*.md'], {
  encoding: 'utf8',
})
  .split('\n')
  .filter((path) => path !== '' && existsSync(path));

interface Link {
  readonly page: string;
  readonly target: string;
}

function withoutCode(text: string): string {
  return text.replace(/^(```+)[\s\S]*?^\1$/gm, '').replace(/(`+)(?!`)[^\n]*?[^`]\1(?!`)/g, '');
}

function linksOf(page: string): Link[] {
  const text = withoutCode(readFileSync(page, 'utf8'));
  const inline = [...text.matchAll(/\]\(\s*<?([^)\s>]+)>?(?:\s+"[^"]*")?\s*\)/g)];
  const named = [...text.matchAll(/^\[[^\]]+\]:\s*(\S+)/gm)];
  return [...inline, ...named].map(([, target]) => ({ page, target: target! }));
}

/** As GitHub makes them of headings: lower case, letters, digits, `-` and `_`, a number for what is repeated. */
function anchorsOf(page: string): Set<string> {
  const seen = new Map<string, number>();
  const text = readFileSync(page, 'utf8').replace(/^(```+)[\s\S]*?^\1$/gm, '');
  const headings = [...text.matchAll(/^#{1,6}\s+(.+?)\s*#*$/gm)].map(([, words]) => words!);
  return new Set(
    headings.map((words) => {
      const plain = words.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
      const anchor = plain.replace(/[^\p{L}\p{N}\p{M} _-]/gu, '').replaceAll(' ', '-');
      const before = seen.get(anchor) ?? 0;
      seen.set(anchor, before + 1);
      return before === 0 ? anchor : `${anchor}-${before}`;
    }),
  );
}

describe('the links of the documentation', () => {
  const links = PAGES.flatMap(linksOf).filter(({ target }) => !/^[a-z][a-z0-9+.-]*:/i.test(target));

  it('lead to files and headings that are there', () => {
    expect(links.length).to.be.greaterThan(100);
    const broken = links.filter(({ page, target }) => {
      const [path = '', anchor] = decodeURIComponent(target).split('#');
      const file = path === '' ? page : normalize(join(dirname(page), path));
      if (!existsSync(file)) return true;
      return anchor !== undefined && file.endsWith('.md') && !anchorsOf(file).has(anchor);
    });
    expect(broken.map(({ page, target }) => `${page}: ${target}`)).to.deep.equal([]);
  });

  it('stand beside names of sources that are there', () => {
    const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
      encoding: 'utf8',
    });
    const files = listed.split('\n').filter((path) => existsSync(path));
    // The change log names what was.
    const named = PAGES.filter((page) => page !== 'CHANGELOG.md').flatMap((page) =>
      [...readFileSync(page, 'utf8').matchAll(/`([\w-][\w./-]*\.(?:tsx?|mjs|lua))`/g)].map(([, name]) => ({
        page,
        name: name!,
      })),
    );
    expect(named.length).to.be.greaterThan(200);
    const missing = named.filter(({ name }) => !files.some((path) => path === name || path.endsWith(`/${name}`)));
    expect(missing.map(({ page, name }) => `${page}: ${name}`)).to.deep.equal([]);
  });

  it('stand beside programs that the build has, as in what deploys them', () => {
    const deployed = execFileSync('git', [
      'ls-files',
      '--',
      'deploy',
      'Dockerfile',
      'docker-compose*.yml',
      'package.json',
    ]);
    // The change log names what was.
    const files = [...PAGES, ...String(deployed).trim().split('\n')].filter((path) => path !== 'CHANGELOG.md');
    const named = files.flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/(?<![\w/.-])dist\/[\w./-]+\.js\b/g)].map(([program]) => ({
        file,
        program,
      })),
    );
    expect(named.length).to.be.greaterThan(5);
    const missing = named.filter(({ program }) => !existsSync(program));
    expect(missing.map(({ file, program }) => `${file}: ${program}`)).to.deep.equal([]);
  });

  it('do not leave the repository by a path', () => {
    const outside = links.filter(
      ({ page, target }) => target.startsWith('/') || normalize(join(dirname(page), target)).startsWith('..'),
    );
    expect(outside).to.deep.equal([]);
  });
});

describe('the picture of README', () => {
  it('is what its source draws: `npm run reference` draws it anew', () => {
    expect(readFileSync('docs/images/overview.svg', 'utf8')).to.equal(overviewPicture());
  });
});
