// Package kit holds what several adapters share: lanes that keep the order of each
// channel, stored references to posts, links that go where they say, the words before a
// name, a pause that ends with its context.
package kit
