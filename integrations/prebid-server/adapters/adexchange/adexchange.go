// Package adexchange asks an ad exchange for bids, as a bidder of Prebid Server.
package adexchange

import (
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/prebid/openrtb/v20/openrtb2"
	"github.com/prebid/prebid-server/v4/adapters"
	"github.com/prebid/prebid-server/v4/config"
	"github.com/prebid/prebid-server/v4/errortypes"
	"github.com/prebid/prebid-server/v4/openrtb_ext"
	"github.com/prebid/prebid-server/v4/util/jsonutil"
)

const currency = "USD"

// ImpExtAdExchange is imp.ext.prebid.bidder.adexchange; static/bidder-params has its schema.
type ImpExtAdExchange struct {
	PublisherID string  `json:"publisherId"`
	Placement   string  `json:"placement"`
	BidFloor    float64 `json:"bidFloor"`
}

type adapter struct {
	endpoint string
}

// Builder makes the adapter for the endpoint of the host's configuration.
func Builder(_ openrtb_ext.BidderName, config config.Adapter, _ config.Server) (adapters.Bidder, error) {
	if config.Endpoint == "" {
		return nil, fmt.Errorf("adapters.adexchange.endpoint must be the /rtb of an edge")
	}
	return &adapter{endpoint: config.Endpoint}, nil
}

// MakeRequests makes a request for each supply source, in the order of the imps: a request to the exchange is of one.
func (a *adapter) MakeRequests(request *openrtb2.BidRequest, info *adapters.ExtraRequestInfo) ([]*adapters.RequestData, []error) {
	var errs []error
	var publisherIDs []string
	imps := map[string][]openrtb2.Imp{}
	for _, imp := range request.Imp {
		publisherID, sold, err := readImp(imp, info)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		if _, known := imps[publisherID]; !known {
			publisherIDs = append(publisherIDs, publisherID)
		}
		imps[publisherID] = append(imps[publisherID], sold)
	}

	headers := http.Header{}
	headers.Set("Content-Type", "application/json")
	headers.Set("Accept", "application/json")
	headers.Set("X-OpenRTB-Version", "2.6")
	var requests []*adapters.RequestData
	for _, publisherID := range publisherIDs {
		asked := ofPublisher(*request, publisherID)
		asked.Imp = imps[publisherID]
		asked.Cur = []string{currency}
		body, err := jsonutil.Marshal(asked)
		if err != nil {
			errs = append(errs, &errortypes.FailedToMarshal{Message: err.Error()})
			continue
		}
		requests = append(requests, &adapters.RequestData{
			Method:  http.MethodPost,
			Uri:     a.endpoint,
			Body:    body,
			Headers: headers,
			ImpIDs:  openrtb_ext.GetImpIDs(asked.Imp),
		})
	}
	return requests, errs
}

// readImp answers the supply source of an imp, and the imp without what is for Prebid Server alone.
func readImp(imp openrtb2.Imp, info *adapters.ExtraRequestInfo) (string, openrtb2.Imp, error) {
	var ext map[string]json.RawMessage
	if err := jsonutil.Unmarshal(imp.Ext, &ext); err != nil {
		return "", imp, &errortypes.BadInput{Message: fmt.Sprintf("imp %s: ext is not valid: %s", imp.ID, err)}
	}
	var params ImpExtAdExchange
	if err := jsonutil.Unmarshal(ext["bidder"], &params); err != nil {
		return "", imp, &errortypes.BadInput{Message: fmt.Sprintf("imp %s: ext.bidder is not valid: %s", imp.ID, err)}
	}
	if params.PublisherID == "" {
		return "", imp, &errortypes.BadInput{Message: fmt.Sprintf("imp %s: publisherId is missing", imp.ID)}
	}

	delete(ext, "bidder")
	delete(ext, "prebid")
	imp.Ext = nil
	if len(ext) > 0 {
		rest, err := jsonutil.Marshal(ext)
		if err != nil {
			return "", imp, &errortypes.FailedToMarshal{Message: err.Error()}
		}
		imp.Ext = rest
	}
	if params.Placement != "" {
		imp.TagID = params.Placement
	}
	if imp.BidFloor > 0 && imp.BidFloorCur != "" && imp.BidFloorCur != currency {
		converted, err := info.ConvertCurrency(imp.BidFloor, imp.BidFloorCur, currency)
		if err != nil {
			return "", imp, &errortypes.BadInput{Message: fmt.Sprintf("imp %s: %s", imp.ID, err)}
		}
		imp.BidFloor = converted
		imp.BidFloorCur = currency
	}
	if params.BidFloor > imp.BidFloor {
		imp.BidFloor = params.BidFloor
		imp.BidFloorCur = currency
	}
	return params.PublisherID, imp, nil
}

// ofPublisher answers a copy of the request whose inventory is that of the supply source.
func ofPublisher(request openrtb2.BidRequest, publisherID string) *openrtb2.BidRequest {
	withID := func(publisher *openrtb2.Publisher) *openrtb2.Publisher {
		owner := openrtb2.Publisher{}
		if publisher != nil {
			owner = *publisher
		}
		owner.ID = publisherID
		return &owner
	}
	switch {
	case request.Site != nil:
		site := *request.Site
		site.ID = publisherID
		site.Publisher = withID(site.Publisher)
		request.Site = &site
	case request.App != nil:
		app := *request.App
		app.ID = publisherID
		app.Publisher = withID(app.Publisher)
		request.App = &app
	case request.DOOH != nil:
		dooh := *request.DOOH
		dooh.ID = publisherID
		dooh.Publisher = withID(dooh.Publisher)
		request.DOOH = &dooh
	}
	return &request
}

// MakeBids reads an answer of the exchange, each of whose bids states its type.
func (a *adapter) MakeBids(_ *openrtb2.BidRequest, _ *adapters.RequestData, response *adapters.ResponseData) (*adapters.BidderResponse, []error) {
	if adapters.IsResponseStatusCodeNoContent(response) {
		return nil, nil
	}
	if err := adapters.CheckResponseStatusCodeForErrors(response); err != nil {
		return nil, []error{err}
	}
	var answer openrtb2.BidResponse
	if err := jsonutil.Unmarshal(response.Body, &answer); err != nil {
		return nil, []error{&errortypes.BadServerResponse{Message: fmt.Sprintf("the answer is not valid: %s", err)}}
	}

	read := adapters.NewBidderResponse()
	if answer.Cur != "" {
		read.Currency = answer.Cur
	}
	var errs []error
	for _, seat := range answer.SeatBid {
		for i := range seat.Bid {
			bid := &seat.Bid[i]
			bidType, err := typeOf(bid)
			if err != nil {
				errs = append(errs, err)
				continue
			}
			read.Bids = append(read.Bids, &adapters.TypedBid{Bid: bid, BidType: bidType})
		}
	}
	return read, errs
}

func typeOf(bid *openrtb2.Bid) (openrtb_ext.BidType, error) {
	switch bid.MType {
	case openrtb2.MarkupBanner:
		return openrtb_ext.BidTypeBanner, nil
	case openrtb2.MarkupVideo:
		return openrtb_ext.BidTypeVideo, nil
	case openrtb2.MarkupAudio:
		return openrtb_ext.BidTypeAudio, nil
	case openrtb2.MarkupNative:
		return openrtb_ext.BidTypeNative, nil
	}
	return "", &errortypes.BadServerResponse{Message: fmt.Sprintf("bid %s: unknown mtype %d", bid.ID, bid.MType)}
}
