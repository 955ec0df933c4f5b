import { readdir } from 'node:fs/promises';
import type { Attack, ResourceBudget, SecurityRows } from './attack.ts';

export interface SecurityTables {
  readonly attacks: readonly Attack[];
  readonly budgets: readonly ResourceBudget[];
}

/** The rows of every file in `rows/`, in the order of the files' names. */
export async function readSecurityRows(): Promise<SecurityTables> {
  const folder = new URL('rows/', import.meta.url);
  const files = (await readdir(folder)).filter((name) => name.endsWith('.js')).sort();
  const all = await Promise.all(
    files.map(async (name) => ((await import(new URL(name, folder).href)) as { rows: SecurityRows }).rows),
  );
  return {
    attacks: all.flatMap(({ attacks = [] }) => attacks),
    budgets: all.flatMap(({ budgets = [] }) => budgets),
  };
}

const BEGIN = (name: string) => `<!-- ${name}: written by \`npm run security-tables\` -->`;
const END = (name: string) => `<!-- end of ${name} -->`;

/** `document` with both tables written anew between their marks. Throws where a mark is missing. */
export function withTables(document: string, { attacks, budgets }: SecurityTables): string {
  const attackTable = table(
    ['By', 'Attack', 'Outcome', 'Test'],
    attacks.map(({ by, attack, outcome, file, title }) => [by, attack, outcome, proof(file, title)]),
  );
  const budgetTable = table(
    ['Of one', 'Resource', 'Bound', 'Test'],
    budgets.map(({ of, resource, bound, file, title }) => [of, resource, bound, proof(file, title)]),
  );
  return between(between(document, 'attacks', attackTable), 'budgets', budgetTable);
}

function between(document: string, name: string, text: string): string {
  const from = document.indexOf(BEGIN(name));
  const to = document.indexOf(END(name));
  if (from === -1 || to < from) throw new Error(`docs/security.md has no marks for ${name}`);
  return `${document.slice(0, from)}${BEGIN(name)}\n\n${text}\n${document.slice(to)}`;
}

function proof(file: string, title: string): string {
  return `\`${file}\`: ${title}`;
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(heads), line(heads.map(() => '---')), ...rows.map(line)].map((text) => `${text}\n`).join('');
}
