/** What the embedded log and store keep all of their data in, in the data folder. */
export const DATA_FILE = 'exchange.mdb';
