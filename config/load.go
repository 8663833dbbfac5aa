package config

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/knadh/koanf/parsers/dotenv"
	"github.com/knadh/koanf/parsers/yaml"
	"github.com/knadh/koanf/providers/file"
	"github.com/knadh/koanf/v2"
)

// DefaultFile is the YAML file that is read if it exists and no other file is named.
const DefaultFile = "threadkeeper.yaml"

// Sources are where settings come from.
type Sources struct {
	Flags   map[string]string // by setting name; only those that were given
	Environ []string          // "NAME=value"
	Dir     string            // holds .env and DefaultFile, both optional; UserFile counts where neither has a model, key, token or endpoint
	File    string            // a YAML file that must be there; "" for DefaultFile, or for UserFile
}

// layer is what one source says, by setting name.
type layer struct {
	called func(setting string) string // a setting as people find it there
	values map[string]any
	dotenv string // its name, if it is a .env
}

// says reports whether the layer gives a setting a value.
func (l layer) says(setting string) bool {
	value := l.values[setting]
	return value != nil && fmt.Sprint(value) != ""
}

// problem is a setting that is wrong.
type problem struct {
	setting string
	err     error
}

// wrong is a problem of a setting.
func wrong(setting, format string, args ...any) problem {
	return problem{setting, fmt.Errorf(format, args...)}
}

// Load reads the settings. The error joins all problems, one per line, each under the name the setting has in its
// source.
func Load(s Sources) (*Config, error) {
	layers, _, errs := s.layers()
	var problems []problem
	c := &Config{}
	v := reflect.ValueOf(c).Elem()
	for i := range v.NumField() {
		f := v.Type().Field(i)
		if err := set(v.Field(i), f, layers); err != nil {
			problems = append(problems, problem{f.Tag.Get("koanf"), err})
		}
	}
	problems = append(problems, c.places(s.getenv)...)
	problems = append(problems, c.platforms()...)
	for _, p := range problems {
		name := strings.ToUpper(p.setting)
		for _, l := range layers {
			if l.says(p.setting) {
				name = l.called(p.setting)
				break
			}
		}
		errs = append(errs, fmt.Errorf("%s: %w", name, p.err))
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	return c, nil
}

// Overridden returns what gives settings another value than these, as errors of Load name it: "MODEL (environment)". values are by
// name in the environment, "" for none.
func Overridden(s Sources, values map[string]string) (where []string) {
	layers, _, _ := s.layers()
	for _, name := range slices.Sorted(maps.Keys(values)) {
		setting := strings.ToLower(name)
		if i := slices.IndexFunc(layers, func(l layer) bool { return l.says(setting) }); i >= 0 && fmt.Sprint(layers[i].values[setting]) != values[name] {
			where = append(where, layers[i].called(setting))
		}
	}
	return where
}

// UserFileCounts reports whether UserFile says something that counts here. It no longer does once a model, key, token or endpoint
// is written into Dir.
func (s Sources) UserFileCounts() bool {
	layers, _, _ := s.layers()
	return len(layers) > 4 && len(layers[4].values) > 0
}

// layers are the sources that say something, the strongest first, with what a person is to be told of them.
func (s Sources) layers() (layers []layer, warnings []string, errs []error) {
	flags, environ := map[string]any{}, map[string]any{}
	for name, value := range s.Flags {
		flags[name] = value
	}
	known := names()
	for _, e := range s.Environ {
		name, value, _ := strings.Cut(e, "=")
		if setting := strings.ToLower(name); name == strings.ToUpper(name) && slices.Contains(known, setting) {
			environ[setting] = value
		}
	}
	here, warnings, err := s.dotenv(filepath.Join(s.Dir, ".env"), ".env")
	settings, path, failed := s.yaml(known)
	layers = []layer{
		{called: func(n string) string { return "--" + strings.ReplaceAll(n, "_", "-") }, values: flags},
		{called: func(n string) string { return strings.ToUpper(n) + " (environment)" }, values: environ},
		here,
		{called: func(n string) string { return path + ": " + n }, values: settings},
	}
	errs = []error{err, failed}
	if file := s.UserFile(); s.File == "" && file != "" && !slices.ContainsFunc(known, func(n string) bool { return decides(n) && (here.says(n) || layers[3].says(n)) }) {
		everywhere, more, err := s.dotenv(file, file)
		more = append(more, everywhere.unmix(known, layers[:2])...)
		layers, warnings, errs = append(layers, everywhere), append(warnings, more...), append(errs, err)
	}
	return layers, warnings, errs
}

// unmix drops from the user's layer the keys and endpoints of a provider for which a stronger layer has another: its key would go to
// another's endpoint, or another's to its own. Without their endpoint the models asked there go too: their questions would go elsewhere. A
// warning says what is not used, where no stronger layer says it instead.
func (l layer) unmix(known []string, stronger []layer) (warnings []string) {
	routed := l.says("openai_base_url")
	for _, s := range stronger {
		for _, name := range known {
			if name == "model" || !decides(name) || !s.says(name) || fmt.Sprint(s.values[name]) == fmt.Sprint(l.values[name]) {
				continue
			}
			var unused []string
			drop := func(setting string) bool {
				lost := l.says(setting) && !slices.ContainsFunc(stronger, func(s layer) bool { return s.says(setting) })
				if lost {
					unused = append(unused, strings.ToUpper(setting))
				}
				delete(l.values, setting)
				return lost
			}
			provider, _, _ := strings.Cut(name, "_")
			for _, setting := range known {
				if decides(setting) && strings.HasPrefix(setting, provider+"_") && drop(setting) && strings.HasSuffix(setting, "_base_url") {
					for _, models := range []string{"model", "fallback_model", "judge_model", "models"} {
						if asked(provider, fmt.Sprint(l.values[models]), routed) {
							drop(models)
						}
					}
				}
			}
			if len(unused) > 0 {
				warnings = append(warnings, fmt.Sprintf("%s: not used with %s: %s", l.dotenv, s.called(name), strings.Join(unused, ", ")))
			}
		}
	}
	return warnings
}

// asked reports whether one of the models of a list is asked at the endpoint of a provider, as package model has it; routed says
// that an OpenAI-compatible endpoint is set, which may know Anthropic's models by a longer name.
func asked(provider, list string, routed bool) bool {
	return slices.ContainsFunc(strings.Fields(strings.ReplaceAll(strings.ToLower(list), ",", " ")), func(name string) bool {
		claude := strings.HasPrefix(name, "claude") || !routed && strings.HasPrefix(name, "anthropic/claude")
		return name != "off" && claude == (provider == "anthropic")
	})
}

// decides reports whether a setting says who answers, or where: with those of two files mixed, a key would go to another's endpoint.
func decides(setting string) bool {
	return setting == "model" || slices.ContainsFunc([]string{"_key", "_token", "_secret", "_base_url", "_api_url"}, func(end string) bool {
		return strings.HasSuffix(setting, end)
	})
}

// dotenv reads a .env, which need not be there; people are told its name. Unknown names are kept: they may belong to other
// programs. So may values of names that others use too: those that cannot be ours are left out, each with a warning.
func (s Sources) dotenv(path, name string) (l layer, warnings []string, err error) {
	l = layer{called: func(n string) string { return strings.ToUpper(n) + " (" + name + ")" }, dotenv: name}
	data, err := os.ReadFile(path)
	if err != nil {
		return l, nil, unreadable(err)
	}
	l.values, err = parseDotenv(data, name)
	for setting, usable := range map[string]func(string) error{"database_url": s.usableDatabase, "log_level": usableLevel} {
		value, _ := l.values[setting].(string)
		if err := usable(value); value != "" && err != nil {
			delete(l.values, setting)
			warnings = append(warnings, fmt.Sprintf("%s: %s is not used: %v", name, strings.ToUpper(setting), err))
		}
	}
	slices.Sort(warnings)
	return l, warnings, err
}

// parseDotenv returns the values of a .env of this name, with an error for each line that gives none. The parser's own
// errors stay out of it: they quote what follows, with its keys.
func parseDotenv(data []byte, name string) (map[string]any, error) {
	parse := dotenv.ParserEnv("", "", strings.ToLower).Unmarshal
	values, err := parse(data)
	if err == nil {
		return values, nil
	}
	values = map[string]any{}
	var errs []error
	lines := bytes.SplitAfter(data, []byte("\n"))
	for first, n := 0, 0; first < len(lines); first += n {
		for n = 1; ; n++ { // a value in quotes goes on until they are closed
			more, err := parse(bytes.Join(lines[first:first+n], nil))
			if maps.Copy(values, more); err == nil {
				break
			}
			if first+n == len(lines) || !bytes.ContainsAny(lines[first], `"'`) {
				errs = append(errs, fmt.Errorf("%s: line %d is not NAME=value", name, first+1))
				n = 1
				break
			}
		}
	}
	return values, errors.Join(errs...)
}

// usableDatabase fails for an address in .env that may be the database of another program, and says how to name one of ours. The
// same address counts from an absolute path here and from the folder elsewhere, so it may not have a // in it. Where our lock
// lies beside the file, it is ours.
func (s Sources) usableDatabase(address string) error {
	path, err := databasePath(address)
	if err == nil && !filepath.IsAbs(path) {
		path = filepath.Join(s.Dir, path)
	}
	if _, missing := os.Stat(path + ".lock"); err == nil && missing == nil {
		return nil
	}
	scheme, rest, schemed := strings.Cut(address, ":")
	if err != nil || schemed && (strings.ToLower(scheme) == "file" || strings.HasPrefix(rest, "//")) {
		return errors.New("it may be another program's; to name a file for this one, give its path alone")
	}
	if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() && info.Size() == 0 {
		return errors.New("the file is empty and may be another program's; delete it if it is not")
	}
	return nil
}

// usableLevel fails for a level of another program's log.
func usableLevel(text string) error {
	t := reflect.TypeFor[Config]()
	level, _ := t.FieldByName("LogLevel")
	return parseString(reflect.New(level.Type).Elem(), level, strings.TrimSpace(text))
}

// unreadable says of a file that the system does not let us read why; it is nil for other errors, and for a file that is not there.
func unreadable(err error) error {
	if failed := (*fs.PathError)(nil); errors.As(err, &failed) && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s cannot be read: %w", failed.Path, failed.Err)
	}
	return nil
}

// yaml reads the YAML file and refuses keys it does not know.
func (s Sources) yaml(known []string) (map[string]any, string, error) {
	path := s.File
	if path == "" {
		path = filepath.Join(s.Dir, DefaultFile)
		if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
			return nil, path, nil
		}
	}
	k := koanf.New("")
	if err := k.Load(file.Provider(path), yaml.Parser()); err != nil {
		return nil, path, cmp.Or(unreadable(err), fmt.Errorf("%s: %w", path, err))
	}
	var errs []error
	values := k.Raw()
	for _, key := range slices.Sorted(maps.Keys(values)) {
		switch values[key].(type) {
		case map[string]any, []any:
			errs = append(errs, fmt.Errorf("%s: %s: expected a single value", path, key))
			delete(values, key)
		default:
			if !slices.Contains(known, key) {
				err := fmt.Errorf("%s: unknown setting %q", path, key)
				if near := meant(key, known); near != "" {
					err = fmt.Errorf("%w, did you mean %q?", err, near)
				}
				errs = append(errs, err)
			}
		}
	}
	return values, path, errors.Join(errs...)
}

func (s Sources) getenv(name string) string {
	for _, e := range s.Environ {
		if v, ok := strings.CutPrefix(e, name+"="); ok {
			return v
		}
	}
	return ""
}

// names are all settings.
func names() []string {
	t := reflect.TypeFor[Config]()
	var all []string
	for i := range t.NumField() {
		all = append(all, t.Field(i).Tag.Get("koanf"))
	}
	return all
}

// set gives a field the value of the strongest layer that has one, or its default.
func set(v reflect.Value, f reflect.StructField, layers []layer) error {
	text := f.Tag.Get("default")
	for _, l := range layers {
		if name := f.Tag.Get("koanf"); l.says(name) {
			text = fmt.Sprint(l.values[name])
			break
		}
	}
	if text == "" {
		return nil
	}
	return parse(v, f, text)
}

func parse(v reflect.Value, f reflect.StructField, text string) error {
	switch v.Interface().(type) {
	case int:
		n, err := strconv.Atoi(strings.TrimSpace(text))
		if err != nil {
			return fmt.Errorf("%q is not a whole number", alone(text))
		}
		if least, err := strconv.Atoi(f.Tag.Get("min")); err == nil && n < least {
			return fmt.Errorf("%d is less than %d", n, least)
		}
		v.SetInt(int64(n))
	case time.Duration:
		d, err := time.ParseDuration(strings.TrimSpace(text))
		if err != nil {
			return fmt.Errorf("%q is not a duration like 90s or 2m", alone(text))
		}
		if least, err := time.ParseDuration(f.Tag.Get("min")); err == nil && d < least {
			return fmt.Errorf("%s is less than %s", d, least)
		}
		v.SetInt(int64(d))
	case bool:
		b, err := strconv.ParseBool(strings.ToLower(strings.TrimSpace(text)))
		if err != nil {
			return fmt.Errorf("%q is not true or false", alone(text))
		}
		v.SetBool(b)
	case Secret:
		v.SetString(strings.TrimSpace(text))
	default:
		return parseString(v, f, strings.TrimSpace(text))
	}
	return nil
}

// alone is a value as an error quotes it, without the settings that stand in one line with it or between its quotes: one may be a key.
func alone(text string) string { return besides.ReplaceAllString(text, " …") }

var besides = regexp.MustCompile(`(?s)\s\S+=.*`)

func parseString(v reflect.Value, f reflect.StructField, text string) error {
	if choices := f.Tag.Get("enum"); choices != "" {
		text = strings.ToLower(text)
		if !slices.Contains(strings.Split(choices, ","), text) {
			return fmt.Errorf("%q is not one of %s", alone(text), strings.ReplaceAll(choices, ",", ", "))
		}
	}
	v.SetString(text)
	if f.Tag.Get("url") != "" {
		return WebAddress(text)
	}
	return nil
}

// WebAddress fails for a text that is no address of an endpoint.
func WebAddress(text string) error {
	u, err := url.Parse(text)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" {
		return fmt.Errorf("%q is not a web address like https://api.example.com/v1", alone(text))
	}
	return nil
}
