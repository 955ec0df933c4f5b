import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import type { TSchema } from 'typebox';
import { errorSchema } from '../../gateways/management/openapi/components.ts';
import { routes } from '../../gateways/management/routes.ts';
import { ERRORS, LISTED_SHAPES } from './additions.ts';
import { additionsPage } from './additions-page.ts';
import { membersAtPath } from './answer-members.ts';

describe('members of answers that the specification lists', () => {
  for (const { name, route, at, members, additions } of LISTED_SHAPES) {
    it(`${name} has those, and the additions that docs/additions.md gives a reason for, of ${route}`, () => {
      const answer = answerOf(route);
      expect(answer, route).not.to.equal(undefined);
      const added = Object.keys(additions);
      expect(
        added.filter((member) => members.includes(member)),
        'additions that are listed',
      ).to.deep.equal([]);
      expect(membersAtPath(answer!, at)).to.deep.equal([...members, ...added].sort());
    });
  }

  it('are distinguished from those that a schema has too many or too few', () => {
    const list = { type: 'array', items: { anyOf: [{ properties: { a: {} } }, { properties: { a: {}, b: {} } }] } };
    const schema = { properties: { list, map: { patternProperties: { '.*': { properties: { c: {} } } } } } };
    expect(membersAtPath(schema, [])).to.deep.equal(['list', 'map']);
    expect(membersAtPath(schema, ['list'])).to.deep.equal(['a', 'b']);
    expect(membersAtPath(schema, ['map', '*'])).to.deep.equal(['c']);
    expect(membersAtPath(schema, ['gone'])).to.equal(null);
  });

  it('have their additions in docs/additions.md', async () => {
    const page = await readFile('docs/additions.md', 'utf8');
    expect(page === additionsPage(LISTED_SHAPES), 'run `npm run conformance`').to.equal(true);
  });
});

function answerOf(route: string): TSchema | undefined {
  if (route === ERRORS) return errorSchema as TSchema;
  return routes.find(({ method, path }) => `${method} ${path}` === route)?.answer.schema;
}
