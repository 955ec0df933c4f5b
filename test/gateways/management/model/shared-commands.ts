import { expect } from 'chai';
import fc from 'fast-check';
import type { Model } from './model.ts';
import { askFor, ifMatch, type Real } from './real.ts';

type Command = fc.AsyncCommand<Model, Real>;
type Shared = 'pools' | 'partners';

const pathOf = (what: Shared) => (what === 'pools' ? '/api/supply/pools' : '/api/partners');

/** Pools and partners belong to the account as a whole. */
export function sharedCommands(): fc.Arbitrary<Command>[] {
  const what = fc.constantFrom<Shared>('pools', 'partners');
  const name = fc.constantFrom('One', 'Two', 'Six');
  const pick = fc.nat({ max: 6 });
  return [
    fc.tuple(what, name).map((parts) => new Create(...parts)),
    fc.tuple(what, pick, name, fc.option(fc.boolean(), { freq: 2 })).map((parts) => new Rename(...parts)),
    fc.tuple(pick, fc.nat({ max: 900 })).map((parts) => new SetPoolFloor(...parts)),
  ];
}

class Create implements Command {
  readonly what: Shared;
  readonly name: string;
  constructor(what: Shared, name: string) {
    [this.what, this.name] = [what, name];
  }
  check = () => true;
  async run(model: Model, { api }: Real): Promise<void> {
    const { what, name } = this;
    const outcome = model[what].some((one) => one.name === name) ? '409 CONFLICT' : '201';
    const { body } = await askFor(`${this}`, outcome, () => api.post(pathOf(what), { name }));
    if (outcome !== '201') return;
    expect(body.name).to.equal(name);
    if (what === 'pools') model.pools.push({ id: body.id, name, floorCpm: 0, revision: 1 });
    else model.partners.push({ id: body.id, name, revision: 1 });
  }
  toString = () => `create ${this.what} ${this.name}`;
}

class Rename implements Command {
  readonly what: Shared;
  readonly pick: number;
  readonly name: string;
  readonly expected: boolean | null;
  constructor(what: Shared, pick: number, name: string, expected: boolean | null) {
    [this.what, this.pick, this.name, this.expected] = [what, pick, name, expected];
  }
  check = (model: Readonly<Model>) => model[this.what].length > 0;
  async run(model: Model, { api }: Real): Promise<void> {
    const { what, pick, name, expected } = this;
    const one = model[what][pick % model[what].length]!;
    const taken = model[what].some((other) => other !== one && other.name === name);
    const outcome = taken ? '409 CONFLICT' : expected === false ? '412 PRECONDITION_FAILED' : '200';
    const headers = ifMatch(one.revision, expected);
    const answer = await askFor(`${this}`, outcome, () => api.put(`${pathOf(what)}/${one.id}`, { name }, headers));
    if (outcome !== '200') return;
    one.name = name;
    one.revision += 1;
    expect(answer.body.name).to.equal(name);
    // A pool's members, which no revision counts, stand behind it.
    expect(answer.headers.get('etag')).to.match(new RegExp(`^"${one.revision}["-]`));
  }
  toString = () => `rename ${this.what} ${this.pick} to ${this.name} ${this.expected}`;
}

class SetPoolFloor implements Command {
  readonly pick: number;
  readonly floorCpm: number;
  constructor(pick: number, floorCpm: number) {
    [this.pick, this.floorCpm] = [pick, floorCpm];
  }
  check = ({ pools }: Readonly<Model>) => pools.length > 0;
  async run({ pools }: Model, { api }: Real): Promise<void> {
    const pool = pools[this.pick % pools.length]!;
    const body = { floor_price_cpm: this.floorCpm };
    const answer = await askFor(`${this}`, '200', () => api.put(`/api/supply/pools/${pool.id}`, body));
    pool.floorCpm = this.floorCpm;
    pool.revision += 1;
    expect(answer.body).to.include({ name: pool.name, floor_price_cpm: this.floorCpm });
  }
  toString = () => `set the floor of pool ${this.pick} to ${this.floorCpm}`;
}
