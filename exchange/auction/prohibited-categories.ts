/**
 * The specification's groups of what is sold to no one ("Blocked categories"), by the ids of each taxonomy of `cattax`
 * (AdCOM 1.0, list "Category Taxonomies"). The eighth group, sound that begins by itself, is a creative attribute and
 * in no taxonomy.
 *
 * Source: the taxonomies and mappings of github.com/InteractiveAdvertisingBureau/Taxonomies as of 2025-08-12, read
 * group by group; decision 0048 says how. Taxonomy 4 is missing: it classifies audiences.
 */
export type ProhibitedGroup =
  | 'adult'
  /** The specification means gambling without a licence; no taxonomy distinguishes it. */
  | 'gambling'
  /** The group includes deceptive installs. */
  | 'malware'
  | 'firearms'
  | 'counterfeits'
  /** The specification means ads without a disclosure of who pays. */
  | 'politics'
  /** The group means unregulated cryptocurrencies and NFTs. */
  | 'crypto';

type Ids = Readonly<Record<ProhibitedGroup, readonly string[]>>;

/**
 * Taxonomy 1: the IAB maps products of these groups to IAB25 (Non-Standard) and IAB26 (Illegal Content), with
 * everything below them.
 */
const CONTENT_1: Ids = {
  adult: ['IAB25'],
  gambling: ['IAB25'],
  malware: ['IAB26'],
  firearms: ['IAB25'],
  counterfeits: ['IAB26'],
  politics: ['IAB11-4'],
  crypto: ['IAB25'],
};

/** Taxonomies 2 and 5: versions 2.0 and 2.1. Neither has categories of adult content, malware or counterfeits. */
const CONTENT_2: Ids = {
  adult: [],
  // Casinos & Gambling, Lotteries and Scratchcards, Poker and Professional Gambling.
  gambling: ['181', '480', '524'],
  malware: [],
  // Hunting and Shooting: no other category is closer to arms.
  firearms: ['514'],
  counterfeits: [],
  // Political Event, Politics, Elections, Political Issues.
  politics: ['174', '386', '387', '388'],
  // Currencies: no other category is closer.
  crypto: ['82'],
};

/** Taxonomy 6: version 2.2, which adds "Sensitive Topics" (v9i3On; the IAB maps it to Ad Safety Risk). */
const CONTENT_2_2: Ids = {
  ...CONTENT_2,
  adult: ['Rm3SiT'],
  // Spam or Harmful Content.
  malware: ['v9i3On', '6i4dB6'],
  // Arms & Ammunition.
  firearms: ['avbNf2'],
  // Crime & Harmful Acts, Online Piracy.
  counterfeits: ['v9i3On', 'XtODT3', 'mm3UXx'],
  // Adds Sensitive Social Issues, which the IAB maps to politics.
  politics: [...CONTENT_2.politics, 'Z7rJBM'],
};

/** Taxonomies 7 and 9: versions 3.0 and 3.1. */
const CONTENT_3: Ids = {
  ...CONTENT_2_2,
  // Adds Adult Video Games.
  adult: ['Rm3SiT', 'MQ2XML'],
  // Adds Casino and Gambling Video Games.
  gambling: [...CONTENT_2.gambling, 'ZJG29S'],
  // Politics, Elections, Political Issues & Policy, Civic Affairs.
  politics: ['386', '387', '388', '8YPBBL', 'Z7rJBM'],
};

/**
 * Taxonomy 3: Ad Product Taxonomy 1.0, which has no categories of adult content, gambling, malware, counterfeits or
 * politics.
 */
const PRODUCT_1: Ids = {
  adult: [],
  gambling: [],
  malware: [],
  // Hunting and Shooting Equipment.
  firearms: ['828'],
  counterfeits: [],
  politics: [],
  // Digital Goods and Currency.
  crypto: ['801'],
};

/** Taxonomy 8: Ad Product Taxonomy 2.0. 1000 is Ad Safety Risk, to which the IAB maps illegal content. */
const PRODUCT_2: Ids = {
  adult: ['1001'],
  // Gambling, Casinos, Lottery, Sports Betting, Virtual Betting; not Contests (1363) and Give Aways (1364).
  gambling: ['1361', '1362', '1365', '1366', '1367'],
  malware: ['1000'],
  // Weapons and Ammunition, Ammunition, Guns, Gun Shows and Auctions; without accessories and categories of things that
  // do not shoot.
  firearms: ['1576', '1577', '1578', '1580'],
  counterfeits: ['1000'],
  // All of Politics except Political Analysis and Opinion (1478), and Debated Sensitive Social Issue.
  politics: ['1262', '1474', '1475', '1476', '1477', '1479', '1480', '1481'],
  // Non-Fiat Currency, Cryptocurrency Exchanges, Cryptocurrency Stock, NFTs.
  crypto: ['1448', '1449', '1450', '1451'],
};

const TAXONOMIES: ReadonlyMap<number, Ids> = new Map([
  [1, CONTENT_1],
  [2, CONTENT_2],
  [3, PRODUCT_1],
  [5, CONTENT_2],
  [6, CONTENT_2_2],
  [7, CONTENT_3],
  [8, PRODUCT_2],
  [9, CONTENT_3],
]);

const GROUPS: ReadonlyMap<number, ReadonlyMap<string, ProhibitedGroup>> = new Map(
  Array.from(TAXONOMIES, ([taxonomy, ids]) => [taxonomy, byId(ids)]),
);

const PROHIBITED_IDS: ReadonlyMap<number, readonly string[]> = new Map(
  Array.from(TAXONOMIES, ([taxonomy, { politics: _, ...never }]) => [
    taxonomy,
    [...new Set(Object.values(never).flat())],
  ]),
);

function byId(ids: Ids): ReadonlyMap<string, ProhibitedGroup> {
  const groups = new Map<string, ProhibitedGroup>();
  for (const group of Object.keys(ids) as ProhibitedGroup[]) {
    for (const id of ids[group]) groups.set(id.toUpperCase(), group);
  }
  return groups;
}

/** Whether the table has the taxonomy. A bid in another taxonomy is judged by its attributes and advertiser. */
export function isKnownTaxonomy(taxonomy: number): boolean {
  return GROUPS.has(taxonomy);
}

/**
 * The group of a category in its taxonomy; undefined for a category of no group and for a taxonomy that is not known.
 */
export function prohibitedGroup(category: string, taxonomy: number): ProhibitedGroup | undefined {
  const groups = GROUPS.get(taxonomy);
  if (groups === undefined) return undefined;
  const id = category.toUpperCase();
  const found = groups.get(id);
  // Taxonomy 1.0 names a category's parent; ids of others have no hyphens.
  if (found !== undefined || taxonomy !== 1) return found;
  const hyphen = id.indexOf('-');
  return hyphen === -1 ? undefined : groups.get(id.slice(0, hyphen));
}

/** The ids of a taxonomy that are sold to no one, disclosed or not. They join a request's `bcat`. */
export function prohibitedIds(taxonomy: number): readonly string[] {
  return PROHIBITED_IDS.get(taxonomy) ?? [];
}
