package console

import (
	"errors"
	"os"
	"time"
)

// quiet is not known for a console of Windows: what is typed ahead stays with the system.
func quiet(*os.File) (restore func(), err error) { return nil, errors.ErrUnsupported }

func arrived(*os.File, time.Duration) []byte { return nil }
