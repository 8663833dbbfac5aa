package platform

import (
	"errors"
	"time"
)

// ErrUndeliverable is wrapped by errors of Post, Edit, Upload and Stream.Close when
// retrying cannot help: the channel is gone, or we have no permission to post there.
var ErrUndeliverable = errors.New("undeliverable")

// CannotPostError is an error of Post that wraps ErrUndeliverable: we have no permission to post
// there. The person who asked is told in a direct message.
type CannotPostError struct {
	Asked string // link to the message to answer, "" if it is unknown
	Err   error
}

func (e *CannotPostError) Error() string { return e.Err.Error() }

func (e *CannotPostError) Unwrap() error { return e.Err }

// ErrLocked is wrapped by errors of Edit when nothing may be changed until people unlock
// the place. Only an erasure is retried.
var ErrLocked = errors.New("locked")

// ErrFileGone is wrapped by errors of Open when the platform no longer has the
// file or does not let us read it.
var ErrFileGone = errors.New("the file is no longer available")

// RetryError is a platform's error that says when to try again.
type RetryError struct {
	After time.Duration
	Err   error
}

func (e *RetryError) Error() string { return e.Err.Error() }

func (e *RetryError) Unwrap() error { return e.Err }
