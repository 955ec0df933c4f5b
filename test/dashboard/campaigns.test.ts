import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { type CreativeOrigin, startCreativeOrigin } from '../support/creative-origin.ts';
import { failWith } from './support/answers.ts';
import { expectAccessible, expectNoOverflow } from './support/axe.ts';
import type { Complaints } from './support/complaints.ts';
import { type RunningDashboard, startDashboard } from './support/dashboard.ts';
import { settled } from './support/settled.ts';

const HOSTILE = '<img src=x onerror="window.hit=1"> حملة';

/** An ad here tries to reach the page around it. */
const REFUSED_TO_THE_AD = /Blocked a frame with origin "null" from accessing a cross-origin frame/;

describe('dashboard: campaigns and creatives', () => {
  let running: RunningDashboard;
  let origin: CreativeOrigin;
  let page: Page;
  let complaints: Complaints;
  let dspId: string;
  let madeId: string;

  before(async function () {
    origin = await startCreativeOrigin();
    running = await startDashboard(this);
    ({ page, complaints } = await running.visit('/campaigns'));
  });
  after(async () => {
    await running?.stop();
    await origin?.close();
  });
  afterEach(async () => {
    complaints?.expectNone(REFUSED_TO_THE_AD);
    expect(await page.evaluate('window.hit')).to.equal(undefined);
  });

  async function call(method: string, path: string, body?: object) {
    const answer = await running.exchange.call(method, path, body);
    expect(answer.status, JSON.stringify(answer.body)).to.be.within(200, 201);
    return answer.body;
  }
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const written = (label: string) => page.getByRole('textbox', { name: label, exact: true });
  const told = (text: string) => page.getByRole('alert').filter({ hasText: text }).first().waitFor();
  const choose = async (label: string, option: string) => {
    await page.getByRole('combobox', { name: label, exact: true }).click();
    await page.getByRole('option', { name: option, exact: true }).click();
  };
  const newCampaign = (fields: object = {}) =>
    call('POST', '/api/campaigns', {
      dsp_id: dspId,
      campaign_name: 'Autumn',
      bidding: { base_cpm: 2 },
      ...('creatives' in fields ? {} : { creative: { creative_id: 'c', image_url: origin.url('/c.png') } }),
      ...fields,
    });

  it('say the next step where there is none, and lead there', async () => {
    await page.getByText('There is no campaign yet').waitFor();
    await page.goto('/creatives?tab=campaigns');
    await page.getByText('There is no creative yet').waitFor();
    await page.getByRole('link', { name: 'New campaign' }).click();
    await page.getByRole('heading', { level: 1, name: 'New campaign' }).waitFor();
    dspId = (await call('POST', '/api/demand/sources', { name: 'Northern Outdoor', mode: 'delegate' })).id;
    await call('POST', '/api/demand/sources', { name: 'A bidder', mode: 'rtb', endpoint_url: 'https://b.example/' });
  });

  it('are created: faults beside their fields, creatives fetched, and shown as they look', async () => {
    await page.reload();
    await written('Name').fill(HOSTILE);
    await page.getByRole('combobox', { name: 'Demand source' }).click();
    // A bidder has no campaigns here.
    expect(await page.getByRole('option').allTextContents()).to.deep.equal(['Northern Outdoor']);
    await page.getByRole('option', { name: 'Northern Outdoor' }).click();
    await written('Bid (CPM)').fill('9');
    await written('Highest bid (CPM)').fill('4');
    await page.getByLabel('Daily budget').fill('20.5');
    await page.getByLabel('Frequency cap').fill('3');
    await page.getByRole('combobox', { name: 'Countries' }).fill('DE');
    await page.keyboard.press('Enter');
    const first = page.getByRole('group', { name: 'Creative 1' });
    await first.getByLabel('Creative id').fill('banner');
    await first.getByLabel('Image URL').fill(origin.url('/missing.gif'));
    await button('Add a creative').click();
    const second = page.getByRole('group', { name: 'Creative 2' });
    await second.getByRole('combobox', { name: 'Made of' }).click();
    await page.getByRole('option', { name: 'HTML markup' }).click();
    await second.getByLabel('Markup').fill('<b>Walk</b><script>top.hit = 1; document.body.append(" further")</script>');
    await second.getByLabel('Width').fill('300');
    await second.getByLabel('Height').fill('250');
    await second.getByLabel('Weight').fill('3');
    await first.getByLabel('Weight').fill('1');
    await button('Create campaign').click();
    await page.getByText(/must not be below|at least|not be less|below base_cpm/).waitFor();
    expect(await written('Highest bid (CPM)').getAttribute('aria-invalid')).to.equal('true');
    await written('Highest bid (CPM)').fill('12');
    await button('Create campaign').click();
    // What could not be fetched is named, at its place.
    await first.getByRole('textbox', { name: 'Image URL' }).and(page.locator('[aria-invalid="true"]')).waitFor();
    await first.getByLabel('Image URL').fill(origin.url('/banner.png'));
    await button('Create campaign').click();

    await page.getByRole('heading', { level: 1, name: HOSTILE }).waitFor();
    madeId = new URL(page.url()).pathname.split('/').at(-1)!;
    const made = await call('GET', `/api/campaigns/${madeId}`);
    expect(made).to.deep.include({
      campaign_name: HOSTILE,
      dsp_id: dspId,
      bidding: { base_cpm: 9, max_cpm: 12 },
      budget: { daily_cents: 2050, pacing: 'linear' },
      frequency_cap: { max_impressions: 3 },
      targeting: { countries: ['DE'] },
    });
    const card = (name: string) => page.getByRole('article', { name, exact: true });
    await card('banner').getByText('25% of bids').waitFor();
    await card('creative-2').getByText('75% of bids').waitFor();
    // It runs, in an origin of its own: what it tries to reach above fails in its own frame.
    await card('creative-2').frameLocator('iframe').getByText('Walk').waitFor();
    const image = card('banner').frameLocator('iframe').getByRole('img');
    await image.waitFor();
    expect(await image.evaluate((node) => (node as unknown as { naturalWidth: number }).naturalWidth)).to.equal(300);
    expect(await card('banner').locator('iframe').getAttribute('sandbox')).to.equal('allow-scripts');
  });

  it('are changed field by field, faults of creatives at their places, and a change in between explained', async () => {
    await page.getByRole('tab', { name: 'Settings' }).click();
    await written('Name').fill('Spring');
    await written('Bid (CPM)').fill('8.25');
    await page.getByLabel('Frequency cap').fill('');
    await page.getByLabel('Cap window').fill('');
    await call('PATCH', `/api/campaigns/${madeId}`, { budget: { daily_cents: 9_900 } });
    await button('Save').click();
    const dialog = page.getByRole('dialog', { name: 'Somebody else changed this in the meantime' });
    await dialog.getByRole('button', { name: 'Save mine over it' }).click();
    await told('Spring is saved.');
    const changed = await call('GET', `/api/campaigns/${madeId}`);
    expect(changed).to.deep.include({ campaign_name: 'Spring', bidding: { base_cpm: 8.25, max_cpm: 12 } });
    expect(changed.frequency_cap).to.equal(undefined);
    // What was not touched here stays as the other left it.
    expect(changed.budget.daily_cents).to.equal(9_900);

    await page.getByRole('group', { name: 'Creative 2' }).getByLabel('Landing page').fill('not a url');
    await button('Save').click();
    await page.locator(':focus[aria-invalid="true"][value="not a url"]').waitFor();
    await button('Undo').click();
    await page.getByText('Not saved yet').waitFor({ state: 'detached' });
  });

  it('keep what is typed into them while they are saved', async () => {
    let save = () => {};
    const held = new Promise<void>((resolve) => {
      save = resolve;
    });
    await page.route(
      `**/api/campaigns/${madeId}`,
      async (route) => {
        if (route.request().method() === 'PATCH') await held;
        await route.continue();
      },
      { times: 1 },
    );
    await written('Name').fill('Springtime');
    await button('Save').click();
    await page.getByText('Saving; new creatives are fetched first …').waitFor();
    await written('Bid (CPM)').fill('9.5');
    save();
    await told('Springtime is saved.');
    expect(await written('Bid (CPM)').inputValue()).to.equal('$9.5');
    await page.getByText('Not saved yet').waitFor();
    expect((await call('GET', `/api/campaigns/${madeId}`)).bidding.base_cpm).to.equal(8.25);
    await written('Name').fill('Spring');
    await page.keyboard.press('Enter');
    await told('Spring is saved.');
    expect((await call('GET', `/api/campaigns/${madeId}`)).bidding.base_cpm).to.equal(9.5);
    await page.getByText('Not saved yet').waitFor({ state: 'detached' });
  });

  it('are paused and set going at once, and back again where the exchange does not answer', async () => {
    await page.goto('/campaigns');
    const toggle = page.getByRole('switch', { name: 'Bids with Spring' });
    const failing = await failWith(page, 503, /\/pause$/);
    await toggle.focus();
    await page.keyboard.press('Space');
    await told('The store does not answer.');
    await page.locator('input:focus:checked').waitFor();
    await failing.again();
    await page.keyboard.press('Space');
    await page.getByRole('row').filter({ hasText: 'Spring' }).getByText('Paused').waitFor();
    expect((await call('GET', `/api/campaigns/${madeId}`)).paused_by).to.equal('hand');
    await page.getByRole('link', { name: 'Spring', exact: true }).click();
    await page.getByText('Paused by hand.').waitFor();
    await page.getByRole('switch', { name: 'Bids with Spring' }).focus();
    await page.keyboard.press('Space');
    await page.getByText('Paused by hand.').waitFor({ state: 'detached' });
    expect((await call('GET', `/api/campaigns/${madeId}`)).status).to.equal('active');
  });

  it('are found by name, demand source and status, in the URL', async () => {
    await newCampaign({ campaign_name: 'Winter', status: 'paused' });
    await page.goto('/campaigns');
    await page.getByRole('link', { name: 'Winter' }).waitFor();
    await choose('Status', 'Paused');
    await page.waitForURL(/status=paused/);
    await page.getByRole('link', { name: 'Spring', exact: true }).waitFor({ state: 'detached' });
    await page.reload();
    await page.getByRole('link', { name: 'Winter' }).waitFor();
    await page.goto('/campaigns?q=nobody');
    await button('Clear the filters').click();
    await page.getByRole('link', { name: 'Spring', exact: true }).waitFor();
  });

  it('that came with a strategy lead there, and say so', async () => {
    const delegate = await call('POST', '/api/demand/sources', { name: 'Strategist', mode: 'delegate' });
    await call('PUT', `/api/demand/sources/${delegate.id}/strategy`, {
      version: '1.0',
      dsp_id: delegate.id,
      default_bid: 1,
      campaigns: [
        {
          campaign_id: 's',
          campaign_name: 'By strategy',
          status: 'paused',
          bidding: { base_cpm: 1 },
          creative: { creative_id: 's', image_url: origin.url('/s.png') },
        },
      ],
      rules: [],
    });
    await page.goto(`/campaigns?dsp=${delegate.id}`);
    expect(await page.getByRole('switch', { name: 'Bids with By strategy' }).isDisabled()).to.equal(true);
    await page.getByRole('link', { name: 'By strategy' }).click();
    await page.getByText('Its strategy has it as paused.').waitFor();
    await page.getByRole('tab', { name: 'Settings' }).click();
    await page.getByRole('link', { name: 'Open the strategy' }).click();
    await page.getByRole('tab', { name: 'Strategy', selected: true }).waitFor();
  });

  it('creatives are shown as they look: a video plays, a native ad has its parts, warnings say what to do', async () => {
    const { id } = await newCampaign({
      campaign_name: 'All kinds',
      creatives: [
        { creative_id: 'film', vast_url: origin.url('/film.xml') },
        {
          creative_id: HOSTILE,
          native: { title: HOSTILE, body: 'Light and dry', cta: 'Look at these boots now' },
          landing_url: 'https://boots.example/',
        },
        { creative_id: 'jingle', audio_url: origin.url('/jingle.mp3') },
      ],
    });
    await page.goto('/creatives?tab=campaigns');
    await page.getByRole('article', { name: 'film' }).frameLocator('iframe').locator('video').waitFor();
    await choose('Format', 'Native');
    await page.waitForURL(/format=native/);
    expect(await page.getByRole('article').count()).to.equal(1);
    await page.getByRole('link', { name: HOSTILE, exact: true }).click();
    await page.getByRole('heading', { level: 1, name: HOSTILE }).waitFor();
    const shown = page.frameLocator('iframe');
    await shown.getByRole('heading', { name: HOSTILE }).waitFor();
    expect(await shown.locator('html').evaluate('window.hit')).to.equal(undefined);
    await page.getByText('Call to action of more than 15 characters').waitFor();
    await page.getByText('Fill in "Sponsored by"').waitFor();

    await page.goto(`/campaigns/${id}/creatives/film`);
    const video = page.frameLocator('iframe').locator('video');
    await video.evaluate(
      `(async (video) => { video.muted = true; await video.play(); return video.videoWidth; })(document.querySelector('video'))`,
    );
    await page.getByRole('table', { name: 'What it is' }).getByText('15 s').waitFor();
    // Viewing it calls no tracker: its trackers are at the same origin.
    expect(origin.requestedPaths.filter((path) => !/\.(xml|mp4|png|mp3|gif)$/.test(path))).to.deep.equal([]);
  });

  it('say what fails and ask again, and name what does not exist', async () => {
    for (const path of ['/campaigns', '/creatives?tab=campaigns', `/campaigns/${madeId}`]) {
      const failing = await failWith(page, 503, /\/api\/campaigns/);
      await page.goto(path);
      await told('The store does not answer.');
      await failing.again();
      await button('Try again').first().click();
      await page.getByText('The store does not answer.').first().waitFor({ state: 'detached' });
    }
    await page.goto('/campaigns/00000000-0000-4000-8000-00000000dead');
    await page.getByText('This does not exist').waitFor();
    await page.goto(`/campaigns/${madeId}/creatives/other`);
    await page.getByText('The campaign has no such creative (any more)').waitFor();
  });

  it('is accessible, light and dark, at 390 pixels', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    const paths = [
      '/campaigns',
      '/campaigns/new',
      `/campaigns/${madeId}`,
      `/campaigns/${madeId}?tab=creatives`,
      `/campaigns/${madeId}?tab=settings`,
      '/creatives?tab=campaigns',
      `/campaigns/${madeId}/creatives/banner`,
    ];
    for (const [index, path] of paths.entries()) {
      await page.emulateMedia({ colorScheme: index % 2 === 0 ? 'light' : 'dark' });
      await page.goto(path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await settled(page);
      await expectAccessible(page);
      await expectNoOverflow(page);
    }
  });
});
