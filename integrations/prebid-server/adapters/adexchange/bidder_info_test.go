package adexchange

import (
	"os"
	"testing"

	"github.com/prebid/prebid-server/v4/config"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gopkg.in/yaml.v3"
)

func TestBidderInfo(t *testing.T) {
	text, err := os.ReadFile("../../static/bidder-info/adexchange.yaml")
	require.NoError(t, err)
	var info config.BidderInfo
	require.NoError(t, yaml.Unmarshal(text, &info))
	assert.NotEmpty(t, info.Maintainer.Email)
	assert.Equal(t, "2.6", info.OpenRTB.Version)
	assert.True(t, info.OpenRTB.GPPSupported)
	for _, platform := range []*config.PlatformInfo{info.Capabilities.App, info.Capabilities.Site, info.Capabilities.DOOH} {
		assert.Len(t, platform.MediaTypes, 4)
	}
	_, err = Builder(bidderName, config.Adapter{Endpoint: info.Endpoint}, config.Server{})
	assert.NoError(t, err)
}
