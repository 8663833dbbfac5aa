package console

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"unicode"

	"threadkeeper/bot/platform"
	"threadkeeper/memory"
)

// splitArgs splits a line into words as a shell does: blanks separate, single
// and double quotes hold together, a backslash takes the next character as it is (not on
// Windows, where it separates folders).
func splitArgs(s string) ([]string, error) {
	var words []string
	var word strings.Builder
	quote, inside, escaped := rune(0), false, false
	for _, r := range s {
		switch {
		case escaped:
			word.WriteRune(r)
			escaped = false
		case r == '\\' && quote != '\'' && runtime.GOOS != "windows":
			escaped, inside = true, true
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(r)
		case r == '"' || r == '\'':
			quote, inside = r, true
		case unicode.IsSpace(r):
			if inside {
				words = append(words, word.String())
				word.Reset()
				inside = false
			}
		default:
			word.WriteRune(r)
			inside = true
		}
	}
	if quote != 0 {
		return nil, fmt.Errorf("a quote %c is not closed", quote)
	}
	if inside {
		words = append(words, word.String())
	}
	return words, nil
}

// attachments are the files that arguments name: ~ is the home directory, and a
// name that is not there as it stands is a pattern. Their ids are prefix:1,
// prefix:2 and so on. All problems are reported at once.
func attachments(args []string, prefix string) ([]memory.File, error) {
	var files []memory.File
	var errs []error
	for _, arg := range args {
		paths, err := expand(arg)
		if err != nil {
			errs = append(errs, err)
		}
		for _, path := range paths {
			f, info, err := openRegular(path)
			if err != nil {
				errs = append(errs, err)
				continue
			}
			f.Close()
			files = append(files, memory.File{PlatformID: prefix + ":" + strconv.Itoa(len(files)+1),
				Name: filepath.Base(path), Size: info.Size(), Locator: path})
		}
	}
	return files, errors.Join(errs...)
}

// Files returns the absolute paths of the files that names and patterns stand for. The error says which do not exist or cannot be read.
func Files(names []string) (paths []string, err error) {
	files, err := attachments(names, "")
	for _, f := range files {
		paths = append(paths, f.Locator)
	}
	return paths, err
}

func expand(arg string) ([]string, error) {
	if arg == "~" || strings.HasPrefix(arg, "~/") {
		home, err := os.UserHomeDir()
		if err != nil {
			return nil, err
		}
		arg = filepath.Join(home, arg[1:])
	}
	path, err := filepath.Abs(arg)
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(path); err == nil {
		return []string{path}, nil
	}
	found, err := glob(path)
	if err != nil || len(found) == 0 {
		return nil, fmt.Errorf("there is no file %s", arg)
	}
	return found, nil
}

// glob returns the files of a pattern. A folder that is there is not part of the pattern, whatever is in its name.
func glob(path string) ([]string, error) {
	dir := filepath.Dir(path)
	for up := filepath.Dir(dir); up != dir; dir, up = up, filepath.Dir(up) {
		if _, err := os.Stat(dir); err == nil {
			break
		}
	}
	pattern, err := filepath.Rel(dir, path)
	if err != nil {
		return nil, err
	}
	found, err := fs.Glob(os.DirFS(dir), filepath.ToSlash(pattern))
	for i, name := range found {
		found[i] = filepath.Join(dir, name)
	}
	return found, err
}

// findCommand splits "memory search blue whale" into the longest command of
// the registry and its arguments. It is false for a name that is in no command.
func findCommand(commands []platform.Command, text string) (c platform.Command, args string, ok bool) {
	for _, candidate := range commands {
		rest, is := cutWords(text, strings.Fields(candidate.Name))
		if is && len(candidate.Name) > len(c.Name) {
			c, args, ok = candidate, rest, true
		}
	}
	return c, args, ok
}

// cutWords cuts words off the front of text, in any case and with any blanks between.
func cutWords(text string, words []string) (rest string, ok bool) {
	rest = strings.TrimSpace(text)
	for _, w := range words {
		end := strings.IndexFunc(rest, unicode.IsSpace)
		if end < 0 {
			end = len(rest)
		}
		if !strings.EqualFold(rest[:end], w) {
			return "", false
		}
		rest = strings.TrimSpace(rest[end:])
	}
	return rest, true
}
