package config

import (
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
)

// places fills in where things are kept, and turns DatabaseURL into a path.
func (c *Config) places(getenv func(string) string) []problem {
	var problems []problem
	var err error
	if c.DatabaseURL == "" {
		c.DatabaseURL, err = dataDir(getenv)
		c.DatabaseURL = filepath.Join(c.DatabaseURL, "threadkeeper", "threadkeeper.db")
	} else {
		c.DatabaseURL, err = databasePath(c.DatabaseURL)
	}
	if err != nil {
		problems = append(problems, problem{"database_url", err})
	}
	if c.CacheDir == "" {
		if c.CacheDir, err = cacheDir(getenv); err != nil {
			problems = append(problems, problem{"cache_dir", err})
		}
		c.CacheDir = filepath.Join(c.CacheDir, "threadkeeper")
	}
	return problems
}

// databasePath is the file a database address names.
func databasePath(address string) (string, error) {
	scheme, rest, ok := strings.Cut(address, ":")
	if !ok || len(scheme) == 1 { // C:\file
		return address, nil
	}
	switch strings.ToLower(scheme) {
	case "sqlite", "sqlite3", "file":
		if rest = strings.TrimPrefix(rest, "//"); rest == "" {
			return "", fmt.Errorf("%q names no file", address)
		}
		return rest, nil
	case "postgres", "postgresql":
		return "", errors.New("this build supports SQLite only: give a file name, or leave it empty for the default")
	}
	if strings.HasPrefix(rest, "//") {
		return "", fmt.Errorf("%s databases are not supported: give a file name", scheme)
	}
	return address, nil
}

var errNoHome = errors.New("HOME is not set, so there is no default path: set one")

// dataDir is where programs of this user keep data (XDG base directories 0.8 on Unix).
func dataDir(getenv func(string) string) (string, error) {
	if dir := getenv("XDG_DATA_HOME"); filepath.IsAbs(dir) {
		return dir, nil
	}
	return home(getenv, "Library/Application Support", ".local/share")
}

// cacheDir is where programs of this user keep what can be made again.
func cacheDir(getenv func(string) string) (string, error) {
	if dir := getenv("XDG_CACHE_HOME"); filepath.IsAbs(dir) {
		return dir, nil
	}
	return home(getenv, "Library/Caches", ".cache")
}

func home(getenv func(string) string, mac, unix string) (string, error) {
	if runtime.GOOS == "windows" {
		if dir := getenv("LOCALAPPDATA"); dir != "" {
			return dir, nil
		}
		return "", errNoHome
	}
	dir := getenv("HOME")
	if dir == "" {
		return "", errNoHome
	}
	if runtime.GOOS == "darwin" {
		return filepath.Join(dir, mac), nil
	}
	return filepath.Join(dir, unix), nil
}
