/** A campaign whose only creative is a box with a sentence in it: enough to be shown. */
export function exampleStrategy(dspId: string) {
  return {
    version: '1.0' as const,
    dsp_id: dspId,
    default_bid: 2.5,
    campaigns: [
      {
        campaign_id: 'first-campaign',
        campaign_name: 'First campaign',
        bidding: { base_cpm: 2.5 },
        adomain: ['advertiser.example'],
        creatives: [
          {
            creative_id: 'first-creative',
            format: 'html5' as const,
            html: '<a href="https://advertiser.example/" style="display:block;box-sizing:border-box;width:300px;height:250px;padding:90px 24px;background:#3b5fd4;color:#fff;font:600 20px sans-serif;text-align:center;text-decoration:none">Your first ad</a>',
            width: 300,
            height: 250,
            landing_url: 'https://advertiser.example/',
          },
        ],
      },
    ],
    rules: [],
  };
}
