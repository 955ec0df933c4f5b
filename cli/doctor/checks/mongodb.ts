import type { InspectedMongodb } from '#runtime/providers/mongodb/inspect-server';
import type { Check } from '../check.ts';
import { type Finding, fail, ok, warn } from '../finding.ts';

const LEAST_MAJOR = 6;
/** A write that a majority acknowledges later than this holds back whoever asked for it. */
const SLOW_MS = 250;

/** Whether a majority of MongoDB's servers keeps what was acknowledged. */
export const mongodb: Check = {
  name: 'mongodb',
  async find({ mongodbUrl }) {
    if (mongodbUrl === null) return [ok('not used: the store is embedded, in DATA_DIR')];
    const { inspectMongodb } = await import('#runtime/providers/mongodb/inspect-server');
    try {
      return judge(await inspectMongodb(mongodbUrl));
    } catch (error) {
      const found = `MongoDB (MONGODB_URL) does not answer as it should: ${(error as Error).message}`;
      const todo = 'start it, and see that MONGODB_URL has its hosts, replicaSet, user and password';
      return [fail(found, 'no process starts, and running ones save nothing', todo)];
    }
  },
};

function judge({ version, database, kind, members, arbiters, majority }: InspectedMongodb): Finding[] {
  const found: Finding[] = [];
  if (Number.parseInt(version, 10) < LEAST_MAJOR) {
    const means = 'the exchange is not tested with it';
    found.push(fail(`MongoDB is version ${version}`, means, `use ${LEAST_MAJOR} or later`));
  }
  if (typeof majority === 'string') {
    const means = 'every write of the exchange asks for a majority (w: majority, j: true), and fails';
    found.push(fail(`no majority acknowledges writes: ${majority}`, means, 'start the other members (rs.status())'));
  } else if (majority > SLOW_MS) {
    const means = 'whoever changes something waits that long';
    const todo = 'see the members’ replication lag and disks';
    found.push(warn(`a majority takes ${Math.round(majority)} ms to acknowledge writes`, means, todo));
  }
  if (kind === 'alone') {
    const means = 'its disk is the only copy, and while it is away nothing is saved';
    found.push(warn('MongoDB is no replica set', means, 'run a replica set of three, and name it in MONGODB_URL'));
  } else if (members !== null && members < 3) {
    const means =
      arbiters > 0
        ? 'with an arbiter no majority acknowledges writes while one member is away'
        : 'while one member is away no majority acknowledges writes';
    found.push(warn(`${members} members of the replica set keep data`, means, 'run three that keep data'));
  }
  if (found.length > 0) return found;
  const of = members === null ? 'a router' : `${members} members`;
  return [ok(`MongoDB ${version}, ${of}, database ${database}: a majority keeps every write`)];
}
