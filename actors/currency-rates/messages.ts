import Type, { type Static } from 'typebox';

/** US dollars for one unit, by ISO 4217 code. */
export const DollarsPerUnit = Type.Record(Type.String(), Type.Number());

export const currencyRatesMessages = {
  /** Takes the rates that the source has now. Answers the state. */
  publish: Type.Object({
    /** The date that the source gives them, ISO 8601, UTC. */
    asOf: Type.String(),
    /** Where they are from, without credentials. */
    source: Type.String(),
    dollarsPerUnit: DollarsPerUnit,
  }),
};
export type PublishedRates = Static<typeof currencyRatesMessages.publish>;
