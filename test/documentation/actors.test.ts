import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { actorKinds } from '../../composition/actor-kinds.ts';

interface Row {
  readonly kind: string;
  readonly saving: string;
  readonly messages: ReadonlySet<string>;
  /** Pairs of a message and the kind that it goes to. */
  readonly sends: readonly { readonly type: string; readonly to: string }[];
  readonly projection: string;
}

const ticked = (text: string) => [...text.matchAll(/`([a-z-]+)`/g)].map(([, name]) => name!);

/** Names of messages stand in backticks; in the column of those received, jobs do as well. */
function messagesIn(cell: string): ReadonlySet<string> {
  return new Set(ticked(cell.replace(/the job `[a-z-]+`/g, '')));
}

function sendsIn(cell: string): Row['sends'] {
  return cell.split(/;|, (?=`[a-z-]+` →)/).flatMap((part) => {
    const [names = '', to] = part.split('→').map((text) => text.trim());
    return to === undefined ? [] : ticked(names).map((type) => ({ type, to }));
  });
}

function rowsOf(page: string): Row[] {
  return page.split('\n').flatMap((line) => {
    const kind = /^\| `([a-z-]+)`/.exec(line)?.[1];
    if (kind === undefined) return [];
    const [, , , saving = '', incoming = '', outgoing = '', projection = ''] = line
      .split('|')
      .map((cell) => cell.trim());
    return [{ kind, saving, messages: messagesIn(incoming), sends: sendsIn(outgoing), projection }];
  });
}

describe('docs/actors.md', () => {
  const rows = rowsOf(readFileSync('docs/actors.md', 'utf8'));
  const definitionOf = (kind: string) => actorKinds.find((definition) => definition.kind === kind);

  it('has a row for each kind of actor, and for no other', () => {
    expect(rows.map(({ kind }) => kind)).to.have.members(actorKinds.map(({ kind }) => kind));
  });

  for (const { kind, saving, messages, projection } of rows) {
    it(`says of ${kind} how it is saved, what it understands and whether it has a projection`, () => {
      const definition = definitionOf(kind)!;
      expect(saving).to.equal(definition.saving);
      expect([...messages]).to.have.members(Object.keys(definition.messages));
      expect(projection).to.match(definition.projection === undefined ? /^no$/ : /^yes: /);
    });
  }

  it('sends only messages that their receivers understand', () => {
    for (const { kind, sends } of rows) {
      for (const { type, to } of sends) {
        expect(Object.keys(definitionOf(to)?.messages ?? {}), `${kind}: ${type} → ${to}`).to.include(type);
      }
    }
  });

  it('shows the audit chain as a receiver of each kind whose changes are audited', () => {
    const audited = actorKinds.filter(({ saving, audit }) => saving === 'eager' && typeof audit?.none !== 'string');
    const told = rows.filter(({ sends }) => sends.some(({ to }) => to === 'audit-chain')).map(({ kind }) => kind);
    expect(told).to.have.members(audited.map(({ kind }) => kind));
  });

  it('lets no lazy kind send anything but totals', () => {
    for (const { kind, sends } of rows.filter(({ saving }) => saving === 'lazy')) {
      const definition = definitionOf(kind)!;
      expect(sends.length > 0, kind).to.equal(definition.totals !== undefined);
    }
  });
});
