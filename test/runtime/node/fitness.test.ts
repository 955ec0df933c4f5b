import { expect } from 'chai';
import { Registry } from 'prom-client';
import { Fitness } from '#runtime/node/fitness';
import { type Law, NO_BROKEN_LAWS } from '#runtime/node/laws';
import { NodeMetrics } from '#runtime/node/metrics';
import { StoreWatch } from '#runtime/node/store-watch';
import { DEFAULT_TUNING } from '#runtime/node/tuning';
import { StoreUnavailable } from '#runtime/ports/errors';
import type { Member, MemberCondition } from '#runtime/ports/leases';
import type { StateStore } from '#runtime/ports/store';
import { SteppedClock } from './stepped-clock.ts';

const SELF = 'self';
const DEADLINE_MS = 5_000;

/** The fitness of one node, on a clock that a test moves. */
class Patient {
  readonly clock = new SteppedClock();
  readonly logged: string[] = [];
  readonly watch: StoreWatch;
  readonly fitness: Fitness;
  /** What the store does with a call; `hangs`: it fails at its deadline. */
  store: 'answers' | 'fails' | 'hangs' = 'answers';
  /** How the other member says that it is; null: there is none. */
  other: MemberCondition['fitness'] | null = 'fit';
  /** How often the store has answered the other member, as it counts; undefined: it does not count. */
  othersAnswers: number | undefined;
  /** What the other member has come to after each heartbeat. */
  othersServed = 0;

  constructor(broken: ReadonlySet<Law> = NO_BROKEN_LAWS) {
    const highWater = () => {
      if (this.store === 'answers') return Promise.resolve('0-0');
      const away = new StoreUnavailable('away');
      if (this.store === 'fails') return Promise.reject(away);
      return new Promise<string>((_, reject) => this.clock.after(DEADLINE_MS, () => reject(away)));
    };
    this.watch = new StoreWatch({ highWater } as Partial<StateStore> as StateStore);
    const note = (_: object, message: string) => this.logged.push(message);
    this.fitness = new Fitness(
      {
        clock: this.clock,
        tuning: DEFAULT_TUNING,
        brokenLaws: broken,
        metrics: new NodeMetrics(new Registry()),
        logger: { debug: note, info: note, warn: note, error: note },
      },
      this.watch,
      () => this.watch.store.highWater({ partition: 0 }),
      () => {},
    );
    this.fitness.start();
  }

  /** Lets so much time pass, a heartbeat after each look; answers how it was found after each. */
  async live(forMs: number): Promise<MemberCondition['fitness'][]> {
    const untilMs = this.clock.monotonic() + forMs;
    const found: MemberCondition['fitness'][] = [];
    while (this.clock.monotonic() < untilMs) {
      await this.clock.step();
      const members: Member[] = [{ name: SELF, condition: null, leftMs: 5_000 }];
      if (this.other) {
        if (this.othersAnswers !== undefined) this.othersAnswers += this.othersServed;
        const counted = this.othersAnswers === undefined ? {} : { answers: this.othersAnswers };
        members.push({ name: 'other', condition: { fitness: this.other, declines: [], ...counted }, leftMs: 5_000 });
      }
      this.fitness.noteMembers(members, SELF);
      found.push(this.fitness.fitness);
    }
    return found;
  }
}

describe('the fitness of a node', () => {
  for (const trouble of ['hangs', 'fails'] as const) {
    it(`is lost within 6 s of a store that ${trouble} while another is fit, and found after 10 s of answers`, async () => {
      const patient = new Patient();
      expect(new Set(await patient.live(30_000))).to.deep.equal(new Set(['fit']));
      patient.store = trouble;
      expect(await patient.live(2_500)).not.to.include('unfit');
      expect((await patient.live(3_500)).at(-1)).to.equal('unfit');
      patient.store = 'answers';
      expect(new Set(await patient.live(9_000))).to.deep.equal(new Set(['unfit']));
      expect((await patient.live(2_000)).at(-1)).to.equal('fit');
      expect(patient.logged).to.have.length(3);
    });
  }

  it('is not lost while no other is fit, and a store that is back for all moves nothing', async () => {
    const patient = new Patient();
    await patient.live(1_000);
    patient.store = 'hangs';
    patient.other = 'doubtful';
    expect(await patient.live(60_000)).not.to.include('unfit');
    patient.store = 'answers';
    // The other hears of it a moment sooner.
    patient.other = 'fit';
    const after = await patient.live(5_000);
    expect(after).not.to.include('unfit');
    expect(after.at(-1)).to.equal('fit');
  });

  it('is not lost to a member that has not noticed yet, but to one whose store answers it', async () => {
    const patient = new Patient();
    patient.othersAnswers = 7;
    patient.othersServed = 1;
    await patient.live(1_000);
    patient.store = 'hangs';
    // It reads late what came before the outage.
    await patient.live(4_500);
    patient.othersServed = 0;
    expect(await patient.live(60_000)).not.to.include('unfit');
    patient.othersServed = 1;
    expect((await patient.live(500)).at(-1)).to.equal('unfit');
  });

  it('is found again while the store of all is slow: a fit member puts up with as much', async () => {
    const patient = new Patient();
    patient.store = 'fails';
    expect((await patient.live(6_000)).at(-1)).to.equal('unfit');
    for (let turn = 0; turn < 8; turn++) {
      patient.store = 'answers';
      await patient.live(500);
      patient.store = 'fails';
      await patient.live(2_250);
    }
    expect(patient.fitness.fitness).to.equal('fit');
  });

  it('is not lost to a short outage, nor to a pause of the process', async () => {
    const patient = new Patient();
    await patient.live(1_000);
    patient.store = 'hangs';
    await patient.live(2_000);
    patient.store = 'answers';
    expect(new Set(await patient.live(5_000))).to.deep.equal(new Set(['fit']));
    // What it asked just before the pause is answered just after.
    patient.store = 'hangs';
    patient.clock.pass(60_000);
    await patient.live(250);
    patient.store = 'answers';
    expect(new Set(await patient.live(5_000))).to.deep.equal(new Set(['fit']));
  });

  it('takes longer to be found after each relapse', async () => {
    const patient = new Patient();
    const probations: number[] = [];
    for (let relapse = 0; relapse < 3; relapse++) {
      patient.store = 'fails';
      expect((await patient.live(7_000)).at(-1)).to.equal('unfit');
      patient.store = 'answers';
      const since = patient.clock.monotonic();
      while (patient.fitness.fitness !== 'fit') await patient.live(250);
      probations.push(Math.round((patient.clock.monotonic() - since) / 1_000));
    }
    expect(probations[0]).to.be.within(10, 11);
    expect(probations[1]).to.be.within(20, 21);
    expect(probations[2]).to.be.within(40, 41);
  });

  it('is lost when its sessions fail in a row though the store answers other calls', async () => {
    const patient = new Patient();
    await patient.live(1_000);
    patient.fitness.noteSessionsFail();
    expect((await patient.live(3_000)).at(-1)).to.equal('unfit');
  });
});
