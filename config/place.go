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
		c.DatabaseURL, err = userDir(getenv, "XDG_DATA_HOME", "Library/Application Support", ".local/share")
		c.DatabaseURL = filepath.Join(c.DatabaseURL, "threadkeeper", "threadkeeper.db")
	} else {
		c.DatabaseURL, err = databasePath(c.DatabaseURL)
	}
	if err != nil {
		problems = append(problems, problem{"database_url", err})
	}
	if c.CacheDir == "" {
		if c.CacheDir, err = userDir(getenv, "XDG_CACHE_HOME", "Library/Caches", ".cache"); err != nil {
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

// userDir is where programs of this user keep files of a kind: where a variable says (XDG base directories 0.8), else in this
// folder of macOS or of other systems in their home.
func userDir(getenv func(string) string, xdg, mac, unix string) (string, error) {
	if dir := getenv(xdg); filepath.IsAbs(dir) {
		return dir, nil
	}
	home, folder := getenv("HOME"), unix
	switch runtime.GOOS {
	case "windows":
		home, folder = getenv("LOCALAPPDATA"), ""
	case "darwin":
		folder = mac
	}
	if home == "" {
		return "", errNoHome
	}
	return filepath.Join(home, folder), nil
}

// UserFile returns the .env that counts in every folder without a model, key, token or endpoint of its own, "" where there is no home.
func (s Sources) UserFile() string {
	dir, err := userDir(s.getenv, "XDG_CONFIG_HOME", "Library/Application Support", ".config")
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "threadkeeper", ".env")
}
