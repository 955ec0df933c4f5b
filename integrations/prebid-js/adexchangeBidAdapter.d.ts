/** What a publisher knows of its supply source. None of it is a secret: it stands in the page. */
export interface AdexchangeBidderParams {
  /** The id of the supply source, a UUID. */
  publisherId: string;
  /**
   * The host of the exchange's edge, with its port if it has one: `edge.exchange.example`. It may be stated once for
   * all ad units instead: `pbjs.setConfig({ adexchange: { host } })`. It is called by HTTPS; hosts on the own machine,
   * such as `localhost:8081`, by HTTP.
   */
  host?: string;
  /** The publisher's own name of the placement: `imp.tagid`. */
  placementId?: string | number;
  /** Asks for sandbox demand alone, of a live supply source too. */
  sandbox?: boolean;
}

/** `pbjs.setConfig({ adexchange: … })`. */
export interface AdexchangeConfig {
  host?: string;
}

declare module '../src/adUnits' {
  interface BidderParams {
    adexchange: AdexchangeBidderParams;
  }
}

declare module '../src/config' {
  interface Config {
    adexchange?: AdexchangeConfig;
  }
}
