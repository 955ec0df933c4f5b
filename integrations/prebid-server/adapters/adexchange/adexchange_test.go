package adexchange

import (
	"testing"

	"github.com/prebid/prebid-server/v4/adapters/adapterstest"
	"github.com/prebid/prebid-server/v4/config"
	"github.com/prebid/prebid-server/v4/openrtb_ext"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const bidderName openrtb_ext.BidderName = "adexchange"

func TestJsonSamples(t *testing.T) {
	bidder, err := Builder(bidderName, config.Adapter{Endpoint: "https://ads.exchange.example/rtb"}, config.Server{})
	require.NoError(t, err)
	adapterstest.RunJSONBidderTest(t, "adexchangetest", bidder)
}

func TestBuilderNeedsAnEndpoint(t *testing.T) {
	_, err := Builder(bidderName, config.Adapter{}, config.Server{})
	assert.Error(t, err)
}
