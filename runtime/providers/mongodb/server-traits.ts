import type { Db } from 'mongodb';

/** In what servers that speak the protocol differ, as far as it matters here. */
export interface ServerTraits {
  /** A range of ids costs what it holds. FerretDB 1 reads the whole collection for each. */
  readonly rangesById: boolean;
  /** A replica set's member or a router: it tells cluster times, and takes reads that are to come after one. */
  readonly causal: boolean;
  /** A router of a sharded cluster. */
  readonly sharded: boolean;
}

export async function readServerTraits(database: Db): Promise<ServerTraits> {
  const [hello, build] = await Promise.all([database.command({ hello: 1 }), database.command({ buildInfo: 1 })]);
  const sharded = hello.msg === 'isdbgrid';
  return {
    rangesById: !/^v?1\./.test(String(build.ferretdbVersion ?? '')),
    causal: sharded || typeof hello.setName === 'string',
    sharded,
  };
}
