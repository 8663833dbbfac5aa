//go:build !unix

package main

import "time"

// childTime, ownTime and childMemory are not measured here.
func childTime() time.Duration { return 0 }
func ownTime() time.Duration   { return 0 }
func childMemory() int64       { return 0 }
