package adexchange

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/xeipuuv/gojsonschema"
)

const publisherID = "00000000-0000-4000-8000-00000000000a"

func schema(t *testing.T) *gojsonschema.Schema {
	path, err := filepath.Abs("../../static/bidder-params/adexchange.json")
	require.NoError(t, err)
	loaded, err := gojsonschema.NewSchema(gojsonschema.NewReferenceLoader("file://" + path))
	require.NoError(t, err)
	return loaded
}

func TestValidParams(t *testing.T) {
	for _, params := range []string{
		`{"publisherId": "` + publisherID + `"}`,
		`{"publisherId": "` + publisherID + `", "placement": "top", "bidFloor": 1.5}`,
		`{"publisherId": "` + publisherID + `", "bidFloor": 0, "other": true}`,
	} {
		result, err := schema(t).Validate(gojsonschema.NewStringLoader(params))
		require.NoError(t, err)
		assert.True(t, result.Valid(), "%s: %v", params, result.Errors())
	}
}

func TestInvalidParams(t *testing.T) {
	for _, params := range []string{
		``,
		`null`,
		`true`,
		`5`,
		`[]`,
		`"` + publisherID + `"`,
		`{}`,
		`{"publisherId": ""}`,
		`{"publisherId": 5}`,
		`{"publisherId": "a"}`,
		`{"publisherId": "` + publisherID + `", "placement": ""}`,
		`{"publisherId": "` + publisherID + `", "placement": 5}`,
		`{"publisherId": "` + publisherID + `", "bidFloor": "1"}`,
		`{"publisherId": "` + publisherID + `", "bidFloor": -1}`,
	} {
		result, err := schema(t).Validate(gojsonschema.NewStringLoader(params))
		assert.True(t, err != nil || !result.Valid(), params)
	}
}
