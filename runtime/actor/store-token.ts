export { newerToken } from '../ports/store-token.ts';
