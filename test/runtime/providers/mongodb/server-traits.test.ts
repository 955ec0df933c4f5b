import { expect } from 'chai';
import type { Db } from 'mongodb';
import { readServerTraits } from '#runtime/providers/mongodb/server-traits';

/** A database whose server introduces itself so. */
function introducing(build: object, hello: object = {}): Db {
  const command = async (asked: object) => ('hello' in asked ? hello : build);
  return { command } as unknown as Db;
}

describe('the traits of a server of the MongoDB protocol', () => {
  it('tell servers that read a whole collection for a range of ids, also where they do not know their version', async () => {
    const cases: readonly (readonly [build: object, rangesById: boolean])[] = [
      [{ version: '7.0.14' }, true],
      [{ version: '7.0.42', ferretdbVersion: 'v1.24.2' }, false],
      [{ version: '7.0.42', ferretdbVersion: '1.24.2' }, false],
      [{ version: '7.0.42', ferretdbVersion: 'unknown' }, false],
      [{ version: '7.0.77', ferretdbVersion: 'v2.1.0' }, true],
    ];
    for (const [build, rangesById] of cases)
      expect(await readServerTraits(introducing(build)), JSON.stringify(build)).to.include({ rangesById });
  });

  it('tell members of replica sets and routers from servers by themselves', async () => {
    const build = { version: '7.0.14' };
    expect(await readServerTraits(introducing(build))).to.include({ causal: false, sharded: false });
    const member = introducing(build, { setName: 'rs0' });
    expect(await readServerTraits(member)).to.include({ causal: true, sharded: false });
    const router = introducing(build, { msg: 'isdbgrid' });
    expect(await readServerTraits(router)).to.include({ causal: true, sharded: true });
  });
});
