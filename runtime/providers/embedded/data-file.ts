/** The file in the data folder that has all data of the embedded log and store. */
export const DATA_FILE = 'exchange.mdb';
