package main

type retrieval struct{}
