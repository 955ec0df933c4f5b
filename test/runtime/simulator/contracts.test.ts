import { NO_BROKEN_LAWS } from '#runtime/node/laws';
import { LogServer } from '#runtime/simulator/log-server';
import { SimulatedLog } from '#runtime/simulator/simulated-log';
import { SimulatedProcess } from '#runtime/simulator/simulated-process';
import { SimulatedStore } from '#runtime/simulator/simulated-store';
import { StoreServer } from '#runtime/simulator/store-server';
import { EPOCH_MS } from '#runtime/simulator/virtual-time';
import { logContract } from '../log.contract.ts';
import { storeContract } from '../store.contract.ts';
import { pacedWorld } from './paced-world.ts';

const PARTITIONS = 4;
const CATALOGUE_BOUND = 10_000;
const DEADLINE_MS = 200;

logContract('the simulated log', async () => {
  const { world, stop } = pacedWorld('the log contract');
  const server = new LogServer(world, PARTITIONS, CATALOGUE_BOUND, NO_BROKEN_LAWS);
  server.clockSkewMs = Date.now() - EPOCH_MS - world.time.nowMs;
  let processes = 0;
  const connect = async () => {
    processes += 1;
    const process = new SimulatedProcess(`process ${processes}`, world.time, world.random);
    return new SimulatedLog(server, process, world, DEADLINE_MS);
  };
  const provider = await connect();
  return {
    provider,
    connect,
    async reopen() {
      await provider.close();
      return connect();
    },
    async interrupt() {
      provider.connection.interrupt();
      return async () => {
        provider.connection.restore();
      };
    },
    wipePartition: async (partition) => server.wipe(partition),
    wipeCatalogue: async () => server.catalogue.recreate(1_000_000),
    close: stop,
  };
});

storeContract('the simulated store', async () => {
  const { world, stop } = pacedWorld('the store contract');
  const server = new StoreServer(NO_BROKEN_LAWS);
  let processes = 0;
  const connect = () => {
    processes += 1;
    const process = new SimulatedProcess(`process ${processes}`, world.time, world.random);
    return new SimulatedStore(server, process, world, DEADLINE_MS);
  };
  let store = connect();
  return {
    store,
    other: connect(),
    async restart() {
      await store.close();
      store = connect();
      return store;
    },
    connection: {
      async lose() {
        store.connection.interrupt();
      },
      async restore() {
        store.connection.restore();
      },
    },
    end: stop,
  };
});
