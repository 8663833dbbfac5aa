package kit

import (
	"errors"
	"net/url"
)

// WithoutAddress is the error of a request without its address, which may hold a token.
func WithoutAddress(err error) error {
	var wire *url.Error
	if errors.As(err, &wire) {
		return wire.Err
	}
	return err
}
