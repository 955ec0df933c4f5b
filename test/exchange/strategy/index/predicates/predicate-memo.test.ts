import { expect } from 'chai';
import type { Condition } from '#exchange/strategy/document/rule';
import { compileRulePredicates, compileTargeting } from '#exchange/strategy/index/predicates/compile-conditions';
import { PredicateTable } from '#exchange/strategy/index/predicates/predicate-table';

function compile(table: PredicateTable, ...conditions: Condition[]): number[] {
  return compileRulePredicates({ rule_id: 'r', campaign_id: 'c', conditions }, table);
}

function domain(value: string): Condition {
  return { field: 'site.domain', operator: 'eq', value };
}

describe('exchange/strategy/index/predicates/predicate-memo', () => {
  it('remembers short values of paths in use, and finds their predicates', () => {
    const table = new PredicateTable();
    const [first] = compile(table, domain('a.example'));
    expect(table.memo.get('site.domain', 'eq', 'a.example')).to.include({ id: first, predicate: table.at(first!) });
    expect(compile(table, domain('a.example'))).to.deep.equal([first]);
    expect(table.memo.size).to.equal(1);
  });

  it('remembers no long value, of conditions or of targeting', () => {
    const table = new PredicateTable();
    const long = (at: number) => `${at}`.padStart(10_000, 'x');
    for (let at = 0; at < 20; at++) {
      compile(table, domain(long(at)), { field: 'app.name', operator: 'neq', value: long(at) });
      compileTargeting({ genres: [long(at)] }, table);
    }
    expect(table.size).to.equal(60);
    expect(table.memo.size).to.equal(0);
    compile(table, domain('x'.repeat(64)), domain('x'.repeat(65)));
    expect(table.memo.size).to.equal(1);
  });

  it('forgets a path with its last predicate, in both ways of stating it', () => {
    const table = new PredicateTable();
    const kept = compile(table, domain('a.example'));
    const whole: Condition = { field: 'device.geo.city', operator: 'eq', value: 'oslo' };
    const held = compile(table, whole, { ...whole, field: 'geo.city', operator: 'neq' });
    expect(table.memo.size).to.equal(3);
    table.release(held[0]!);
    expect(table.memo.size).to.equal(3);
    table.release(held[1]!);
    expect(table.memo.size).to.equal(1);
    expect(table.memo.get('device.geo.city', 'eq', 'oslo')).to.equal(undefined);
    expect(table.memo.get('geo.city', 'neq', 'oslo')).to.equal(undefined);
    expect(compile(table, domain('a.example'))).to.deep.equal(kept);
  });

  it('bounds what is remembered of removed conditions, for all paths and operators together', () => {
    const table = new PredicateTable();
    const operators = ['eq', 'neq', 'contains', 'starts_with'] as const;
    const fields = Array.from({ length: 10 }, (_, at) => `site.ext.f${at}`);
    for (const field of fields) compile(table, { field, operator: 'exists', value: 'true' });
    let most = 0;
    for (let at = 0; at < 40_000; at++) {
      const field = fields[at % fields.length]!;
      const operator = operators[Math.floor(at / fields.length) % operators.length]!;
      for (const id of compile(table, { field, operator, value: `v${at}` })) table.release(id);
      most = Math.max(most, table.memo.size);
    }
    expect(table.size).to.equal(fields.length);
    expect(most).to.equal(32_768);
    expect(table.memo.size).to.equal(fields.length + 40_000 - 32_768);
  });
});
