package platform

import (
	"errors"
	"time"
)

// ErrUndeliverable is what an error of Post, Edit, Upload or Stream.Close wraps
// when trying again cannot help: the channel is gone, or we may not post there.
var ErrUndeliverable = errors.New("undeliverable")

// CannotPostError is an error of Post that wraps ErrUndeliverable: we may not write there. Who is
// answered is told so directly.
type CannotPostError struct {
	Asked string // where people open the message that is answered, "" if that is not known
	Err   error
}

func (e *CannotPostError) Error() string { return e.Err.Error() }

func (e *CannotPostError) Unwrap() error { return e.Err }

// ErrLocked is what an error of Edit wraps where nothing may be changed until people open
// the place again. It is not tried again but for an erasure.
var ErrLocked = errors.New("locked")

// ErrFileGone is what an error of Open wraps when the platform no longer has the
// file or does not let us read it.
var ErrFileGone = errors.New("the file is not to be had")

// RetryError is an error of a platform that says when to try again.
type RetryError struct {
	After time.Duration
	Err   error
}

func (e *RetryError) Error() string { return e.Err.Error() }

func (e *RetryError) Unwrap() error { return e.Err }
