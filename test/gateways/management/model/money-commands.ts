import { expect } from 'chai';
import fc from 'fast-check';
import { expectations, eyesOf, type Pick, picked, picks, type Who, whoever } from './choices.ts';
import { type Model, setBudget, setFee } from './model.ts';
import { askFor, clientOf, ifMatch, type Real } from './real.ts';

type Command = fc.AsyncCommand<Model, Real>;

export function moneyCommands(): fc.Arbitrary<Command>[] {
  const percents = fc.nat({ max: 1_000_000 }).map((ppm) => ppm / 10_000);
  const cents = fc.nat({ max: 900 });
  return [
    fc.tuple(fc.boolean(), picks, percents, expectations).map((parts) => new SetFee(...parts)),
    fc.tuple(whoever, picks, cents, expectations).map((parts) => new SetBudget(...parts)),
  ];
}

class SetFee implements Command {
  readonly byOperator: boolean;
  readonly source: Pick;
  readonly percent: number;
  readonly expected: boolean | null;
  constructor(byOperator: boolean, source: Pick, percent: number, expected: boolean | null) {
    [this.byOperator, this.source, this.percent, this.expected] = [byOperator, source, percent, expected];
  }
  check = ({ sources }: Readonly<Model>) => sources.length > 0;
  async run(model: Model, real: Real): Promise<void> {
    const source = picked(model.sources, this.source);
    const outcome = setFee(this.byOperator, this.expected);
    const client = this.byOperator ? real.operator : real.api;
    const body = { fee_percent: this.percent };
    const headers = ifMatch(source.revision, this.expected);
    const answer = await askFor(`${this}`, outcome, () => client.put(`/api/fees/${source.id}`, body, headers));
    if (outcome !== '200') return;
    source.feePercent = this.percent;
    source.revision += 1;
    expect(answer.body).to.deep.equal({
      source_id: source.id,
      kind: source.kind === 'supply' ? 'publisher' : 'dsp',
      fee_percent: this.percent,
    });
    expect(answer.headers.get('etag')).to.equal(`"${source.revision}"`);
  }
  toString = () => `set the fee of source ${this.source} to ${this.percent} % ${[this.byOperator, this.expected]}`;
}

class SetBudget implements Command {
  readonly who: Who;
  readonly source: Pick;
  readonly cents: number;
  readonly expected: boolean | null;
  constructor(who: Who, source: Pick, cents: number, expected: boolean | null) {
    [this.who, this.source, this.cents, this.expected] = [who, source, cents, expected];
  }
  check = ({ sources }: Readonly<Model>) => sources.length > 0;
  async run(model: Model, real: Real): Promise<void> {
    const eyes = eyesOf(model, this.who);
    const source = picked(model.sources, this.source);
    const outcome = setBudget(eyes, source, this.expected);
    const client = clientOf(real, eyes);
    const body = { daily_budget_cents: this.cents };
    const headers = ifMatch(source.revision, this.expected);
    const answer = await askFor(`${this}`, outcome, () =>
      client.put(`/api/demand/dsp/${source.id}/budget`, body, headers),
    );
    if (outcome !== '200') return;
    source.amount = this.cents;
    source.revision += 1;
    expect(answer.body.daily_budget_cents).to.equal(this.cents);
    // What no revision counts, e.g. what was spent, stands behind it.
    expect(answer.headers.get('etag')).to.match(new RegExp(`^"${source.revision}-`));
  }
  toString = () => `set the budget of source ${this.source} to ${this.cents} as ${this.who.as} ${this.expected}`;
}
