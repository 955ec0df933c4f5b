import { mongodbUrl } from '../../../support/real-servers.ts';
import { storeContract } from '../../store.contract.ts';
import { openMongodbFixture } from './mongodb-fixture.ts';

storeContract('MongoDB', (test) => openMongodbFixture(mongodbUrl(test)));
