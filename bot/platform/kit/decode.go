package kit

import (
	"encoding/json"
	"errors"
)

// Decode fills v with the fields of JSON that fit. Only invalid JSON is an error.
func Decode(data []byte, v any) error {
	err := json.Unmarshal(data, v)
	var misfit *json.UnmarshalTypeError
	if errors.As(err, &misfit) {
		return nil
	}
	return err
}
