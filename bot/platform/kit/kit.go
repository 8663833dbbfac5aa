// Package kit is what the adapters of several platforms need alike: links that go where
// they say, the words before a name, a pause that ends with its context.
package kit
