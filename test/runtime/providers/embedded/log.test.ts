import { logContract } from '../../log.contract.ts';
import { freshDataFolder } from './data-folder.ts';

logContract('the embedded log', async () => {
  const data = await freshDataFolder();
  const { log: provider } = await data.open();
  return {
    provider,
    async reopen() {
      await provider.close();
      return (await data.open()).log;
    },
    async close() {
      await provider.close();
      await data.remove();
    },
  };
});
