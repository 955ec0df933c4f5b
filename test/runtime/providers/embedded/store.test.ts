import { storeContract } from '../../store.contract.ts';
import { freshDataFolder } from './data-folder.ts';

storeContract('embedded', async () => {
  const data = await freshDataFolder();
  let { store } = await data.open();
  return {
    store,
    async restart() {
      await store.close();
      store = (await data.open()).store;
      return store;
    },
    async end() {
      await store.close();
      await data.remove();
    },
  };
});
