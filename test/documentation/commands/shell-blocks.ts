import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

/** A block of a page that is meant for a shell. */
export interface ShellBlock {
  readonly page: string;
  readonly text: string;
  /** What the page says it prints, `…` standing for anything; null where it does not say. */
  readonly expected: string | null;
}

/** What git keeps, and what is about to be kept. */
export function pagesOfRepository(): string[] {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '--', '*.md'], {
    encoding: 'utf8',
  });
  return listed.split('\n').filter((path) => path !== '' && existsSync(path));
}

/** The blocks of a page, in their order; those of lists too, which are indented. */
export function shellBlocks(page: string, text = readFileSync(page, 'utf8')): ShellBlock[] {
  const blocks = text.matchAll(/^ *```sh\n([\s\S]*?)^ *```$(?:\n\n^ *```text\n([\s\S]*?)^ *```$)?/gm);
  return [...blocks].map(([, commands = '', expected]) => ({ page, text: commands, expected: expected ?? null }));
}

/** The commands of a block: lines, with those that they continue on; comments are none. */
export function commandsOf({ text }: ShellBlock): string[] {
  const commands: string[] = [];
  let open = '';
  for (const line of text.split('\n')) {
    open = open === '' ? line : `${open}\n${line}`;
    // A quotation or a continued line goes on, as does the text of a here document.
    if (line.endsWith('\\') || isOpen(open)) continue;
    if (open.trim() !== '' && !open.trim().startsWith('#')) commands.push(open.trim());
    open = '';
  }
  if (open.trim() !== '') commands.push(open.trim());
  return commands;
}

function isOpen(command: string): boolean {
  const here = /<<-?\s*['"]?(\w+)['"]?/.exec(command);
  if (here !== null) return !new RegExp(`\\n\\s*${here[1]}\\s*$`).test(command);
  const plain = command.replace(/\\./g, '').replace(/(^|\s)#[^\n]*/g, '$1');
  const withoutDouble = plain.replace(/'[^']*'|"[^"]*"/g, '');
  return /['"]/.test(withoutDouble);
}
