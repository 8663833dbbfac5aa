package kit

import (
	"errors"
	"net/url"
)

// WithoutAddress returns a request's error without its address, which may contain a token.
func WithoutAddress(err error) error {
	var wire *url.Error
	if errors.As(err, &wire) {
		return wire.Err
	}
	return err
}
