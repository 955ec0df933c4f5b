import type { Db } from 'mongodb';

/** The relevant differences between servers that speak the protocol. */
export interface ServerTraits {
  /**
   * Whether a range of ids costs only what it contains. FerretDB 1 reads and sorts the whole collection for each; one
   * that was built from its sources does not know its version.
   */
  readonly rangesById: boolean;
  /**
   * Whether the server is a member of a replica set or a router: it has cluster times, and accepts reads after a time.
   */
  readonly causal: boolean;
  /** Whether the server is a router of a sharded cluster. */
  readonly sharded: boolean;
}

export async function readServerTraits(database: Db): Promise<ServerTraits> {
  const [hello, build] = await Promise.all([database.command({ hello: 1 }), database.command({ buildInfo: 1 })]);
  const sharded = hello.msg === 'isdbgrid';
  return {
    rangesById: build.ferretdbVersion === undefined || !/^(v?1\.|unknown$)/.test(String(build.ferretdbVersion)),
    causal: sharded || typeof hello.setName === 'string',
    sharded,
  };
}
