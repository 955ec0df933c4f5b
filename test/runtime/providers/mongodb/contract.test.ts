import { mongodbUrl } from '#test/support/real-servers';
import { storeContract } from '../../store.contract.ts';
import { openMongodbFixture } from './mongodb-fixture.ts';

storeContract('MongoDB', (test) => openMongodbFixture(mongodbUrl(test)));
// A server of real size is scanned in pages; the one that the tests run on would choose a cursor.
storeContract('MongoDB, in pages', (test) => openMongodbFixture(mongodbUrl(test), { pages: true }));
