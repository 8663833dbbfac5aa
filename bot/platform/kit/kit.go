// Package kit is what the adapters of several platforms need alike: lanes that keep the
// order of each channel, names of posts as they are stored, links that go where they say,
// the words before a name, a pause that ends with its context.
package kit
