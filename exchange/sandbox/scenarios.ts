import type { Scenario } from './scenario.ts';
import { ctvTimeout } from './scenarios/ctv-timeout.ts';
import { ctvUaeDrama } from './scenarios/ctv-uae-drama.ts';
import { mobileUkSport } from './scenarios/mobile-uk-sport.ts';
import { webUsNews } from './scenarios/web-us-news.ts';

/** The ad requests for trying demand (specification, "Sandbox"), by name; the first is the default. */
export const scenarios = {
  'ctv-uae-drama': ctvUaeDrama,
  'mobile-uk-sport': mobileUkSport,
  'web-us-news': webUsNews,
  'ctv-timeout': ctvTimeout,
} as const satisfies Readonly<Record<string, Scenario>>;

export type ScenarioName = keyof typeof scenarios;

export const scenarioNames = Object.keys(scenarios) as [ScenarioName, ...ScenarioName[]];
